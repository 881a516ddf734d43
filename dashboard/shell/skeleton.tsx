import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { configQuery, createQueryClient } from '../data/queries.ts';
import { FrameSkeleton } from '../frame/FrameSkeleton.tsx';
import { SignIn } from '../pages/sign-in/SignIn.tsx';
import { MantineProvider } from '../ui/mantine.ts';
import { cssVariablesResolver, theme } from '../ui/theme.ts';

/* What the build draws into the document (docs/decisions/0030-the-first-load.md). */

export const frame = renderToStaticMarkup(<FrameSkeleton />);

/** Of links, only the addresses are drawn. */
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });

const queries = createQueryClient();
// Where it is not open, the document leaves out what leads to signing up.
queries.setQueryData(configQuery.queryKey, {
  identity: { userPoolId: '', userPoolClientId: '' },
  billing: { kind: 'none', hasPlans: true },
  registration: 'open',
  analytics: { enabled: false },
  mails: 'kept',
  website: '',
  publicUrl: '',
});

/** The sign-in as it stands before anything is typed, behind the kit's variables. */
export const signIn = renderToStaticMarkup(
  <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} forceColorScheme="light">
    <QueryClientProvider client={queries}>
      <RouterContextProvider router={router}>
        <SignIn />
      </RouterContextProvider>
    </QueryClientProvider>
  </MantineProvider>,
);
