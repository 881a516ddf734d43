import { createMemoryHistory } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import type { TeamLanguage } from '#contract/language/team.ts';
import { spokenIn } from '#contract/language/team-words.ts';
import { configQuery } from './data/queries.ts';
import { speak } from './language.ts';
import { useSession } from './session/session.ts';
import { App, queries } from './shell/App.tsx';
import { openRouter } from './shell/routes.tsx';

interface DrawnPage {
  readonly html: string;
  /** The topics of the queries that the page waits for. */
  readonly pending: readonly string[];
}

interface PageToDraw {
  readonly address: string;
  readonly isSignedOut: boolean;
  readonly language: TeamLanguage;
}

/** Renders the page at an address for the browser to hydrate. Call it once per process: the dashboard's state is global. */
export async function drawPage({ address, isSignedOut, language }: PageToDraw): Promise<DrawnPage> {
  speak(spokenIn(language));
  // If sign-up is closed, dashboard/start.ts removes the links to it.
  queries.setQueryData(configQuery.queryKey, {
    identity: { userPoolId: '', userPoolClientId: '' },
    billing: { kind: 'none' },
    registration: 'open',
    analytics: { enabled: false },
    mails: 'kept',
    website: '',
    publicUrl: '',
  });
  if (isSignedOut) useSession.setState({ stage: 'unauthenticated' });
  const router = openRouter(queries, createMemoryHistory({ initialEntries: [address] }));
  await router.load();
  const { prelude } = await prerender(
    <StrictMode>
      <App router={router} />
    </StrictMode>,
    // In one piece: later parts would need inline scripts.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  const pending = queries.getQueryCache().findAll({ predicate: ({ state }) => state.status === 'pending' });
  const drawn = {
    html: await new Response(prelude).text(),
    pending: pending.map(({ queryKey: [, service, action] }) => `${service}.${action}`),
  };
  // Its timers would keep the build running.
  queries.clear();
  return drawn;
}
