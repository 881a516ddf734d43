import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { configQuery, createQueryClient } from '../data/queries.ts';
import { MantineProvider } from '../ui/theme/mantine.ts';
import { cssVariablesResolver, theme } from '../ui/theme/theme.ts';

/* How the build draws what documents show first. */

/** What is known while it draws. Where signing up is not open, the document leaves out what leads there. */
export function openQueries(): QueryClient {
  const queries = createQueryClient();
  queries.setQueryData(configQuery.queryKey, {
    identity: { userPoolId: '', userPoolClientId: '' },
    billing: { kind: 'none' },
    registration: 'open',
    analytics: { enabled: false },
    mails: 'kept',
    website: '',
    publicUrl: '',
  });
  return queries;
}

/** A page as HTML, behind the kit's variables. */
export const drawn = (queries: QueryClient, page: ReactNode): string =>
  renderToStaticMarkup(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} forceColorScheme="light">
      <QueryClientProvider client={queries}>{page}</QueryClientProvider>
    </MantineProvider>,
  );
