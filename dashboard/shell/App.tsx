import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { usePersisted } from '../data/persisted.ts';
import { createQueryClient } from '../data/queries.ts';
import { useSession } from '../session/session.ts';
import { MantineProvider, nonce } from '../ui/theme/mantine.ts';
import { cssVariablesResolver, theme } from '../ui/theme/theme.ts';
import { useAnalytics } from './analytics/useAnalytics.ts';
import type { openRouter } from './routes.tsx';

export const queries = createQueryClient();
// The next person must not see the previous person's data.
useSession.subscribe((current, previous) => {
  if (current.userId !== previous.userId) queries.clear();
});

const storedTheme = () => usePersisted.getState().theme;

export function App({ router }: { router: ReturnType<typeof openRouter> }) {
  useAnalytics(router, queries);
  // zustand's own hook hydrates with the initial theme, which would flash.
  const scheme = useSyncExternalStore(usePersisted.subscribe, storedTheme, storedTheme);
  useEffect(() => {
    document.documentElement.style.colorScheme = scheme;
  }, [scheme]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      forceColorScheme={scheme}
      // The kit renders once with this scheme before it applies the forced one.
      defaultColorScheme={scheme}
      getStyleNonce={nonce}
      // Classes such as `mantine-visible-from-sm`, which no page uses.
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
