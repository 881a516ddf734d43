import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { usePersisted } from '../data/persisted.ts';
import { createQueryClient } from '../data/queries.ts';
import { useSession } from '../session/session.ts';
import { MantineProvider, nonce } from '../ui/theme/mantine.ts';
import { cssVariablesResolver, theme } from '../ui/theme/theme.ts';
import { useAnalytics } from './analytics/useAnalytics.ts';
import type { openRouter } from './routes.tsx';

const queries = createQueryClient();
// What one person has read is not the next person's to see.
useSession.subscribe((now, before) => {
  if (now.userId !== before.userId) queries.clear();
});

export function App({ router }: { router: ReturnType<typeof openRouter> }) {
  useAnalytics(router, queries);
  const scheme = usePersisted((persisted) => persisted.theme);
  useEffect(() => {
    document.documentElement.style.colorScheme = scheme;
  }, [scheme]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      forceColorScheme={scheme}
      // Before it forces a scheme, the kit paints a frame in this one.
      defaultColorScheme={scheme}
      getStyleNonce={nonce}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
