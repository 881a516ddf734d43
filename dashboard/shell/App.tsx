import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { usePersisted } from '../data/persisted.ts';
import { createQueryClient } from '../data/queries.ts';
import { useSession } from '../session/session.ts';
import { MantineProvider, nonce } from '../ui/mantine.ts';
import { cssVariablesResolver, theme } from '../ui/theme.ts';
import { openRouter } from './routes.tsx';

const queries = createQueryClient();
// What one person has read is not the next person's to see.
useSession.subscribe((now, before) => {
  if (now.userId !== before.userId) queries.clear();
});

export function App() {
  const [router] = useState(openRouter);
  const scheme = usePersisted((persisted) => persisted.theme);
  useEffect(() => {
    document.documentElement.style.colorScheme = scheme;
  }, [scheme]);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} forceColorScheme={scheme} getStyleNonce={nonce}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
