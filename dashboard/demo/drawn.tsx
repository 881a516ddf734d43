import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { demoAccount, demoProperties, demoUser, demoUsers } from '#fixtures/demo.ts';
import { COUNTS } from '../data/effects.ts';
import { type Topic, topicKey } from '../data/queries.ts';
import { paths } from '../paths.ts';
import { drawn, openQueries } from '../shell/drawing.tsx';
import { AllFeedback, TeamArea } from '../shell/team.ts';
import { ago, exactly } from '../ui/format/time.ts';
import { createDemoSource } from './source.ts';

/* What the build draws into the demo's document (docs/decisions/0007-the-first-load.md). */

/** Two moments that have nothing in common: not the weekday, nor the hour, nor the half of the day. */
const [ONE, OTHER] = [Date.UTC(2026, 0, 1, 9), Date.UTC(2026, 6, 13, 20, 40)];

/** As many as a tall window shows; each costs a slow phone some milliseconds. */
const ROWS = 15;

/** What hangs on the day of whoever reads, and what the page itself asks for after its first picture. */
const LATER: readonly Topic[] = [...COUNTS, 'feedback.head', 'notification.list', 'delivery.list', 'delivery.health', 'export.list'];

/** The demo's feed as HTML, on a phone and on a desk, every moment left open. Throws where it would tell one that is over. */
export async function drawDemo(): Promise<{ narrow: string; wide: string }> {
  return { narrow: await timeless({ isWide: false }), wide: await timeless({ isWide: true }) };
}

async function timeless(look: { isWide: boolean }): Promise<string> {
  const html = await drawnAt(ONE, look);
  if (html !== (await drawnAt(OTHER, look))) throw new Error('The demo’s document would tell a moment that is over');
  return html;
}

/** As it is drawn at this moment (UTC ms). */
async function drawnAt(moment: number, { isWide }: { isWide: boolean }): Promise<string> {
  const clock = Date.now;
  Date.now = () => moment;
  // All that the page asks a window for while it is drawn.
  Object.assign(globalThis, { window: { matchMedia: () => ({ matches: isWide }) } });
  try {
    const [queries, router] = [openQueries(), openFeed(moment)];
    await router.load();
    const draw = (): string => drawn(queries, <RouterProvider router={router} />);
    do draw();
    while (await answerAll(queries));
    return withoutMoments(draw(), moment);
  } finally {
    Date.now = clock;
    Reflect.deleteProperty(globalThis, 'window');
  }
}

/** The demo's feed at its address, and no other page. */
function openFeed(moment: number) {
  const source = createDemoSource(moment);
  const team = {
    account: demoAccount,
    user: demoUser,
    users: demoUsers,
    properties: demoProperties,
    isOperator: false,
    isDemo: true,
    isTeamless: false,
    signOut: async () => undefined,
  };
  const root = createRootRoute({ component: () => <TeamArea source={source} team={team} /> });
  const feed = createRoute({ getParentRoute: () => root, path: paths.demo, component: AllFeedback });
  return createRouter({ routeTree: root.addChildren([feed]), history: createMemoryHistory({ initialEntries: [paths.demo] }) });
}

/** Answers what was asked for while the page was drawn; gives whether there was anything. */
async function answerAll(queries: QueryClient): Promise<boolean> {
  const open = queries.getQueryCache().findAll({ predicate: isAsked });
  await Promise.all(open.map((query) => query.fetch()));
  queries.setQueriesData<FeedPages>({ queryKey: topicKey({ id: 'demo' }, 'feedback.list') }, firstRows);
  return open.length > 0;
}

const isAsked = ({ queryKey: [, service, action], state }: Query): boolean =>
  state.status === 'pending' && !LATER.some((topic) => topic === `${service}.${action}`);

type FeedPages = InfiniteData<{ readonly feedback: readonly Feedback[] }>;

const firstRows = (list: FeedPages | undefined): FeedPages | undefined =>
  list && { ...list, pages: list.pages.map((page) => ({ ...page, feedback: page.feedback.slice(0, ROWS) })) };

const MOMENT = /<time((?: class="[^"]*")?) dateTime="([^"]*)"(?: title="[^"]*")?>([^<]*)<\/time>/g;
const FEEDBACK_ID = /EXPERIENCE_\d{8}_(\d{13})_/g;

/** How a moment is told, by name. */
const TOLD = { ago, exactly: (at: number) => exactly(at) };

/** Each moment becomes what the demo's document tells it from: how far it is from the sample's own (ms), and in which words. */
function withoutMoments(html: string, moment: number): string {
  const wordsOf = (at: number, text: string): string => {
    const told = Object.entries(TOLD).find(([, tell]) => tell(at, moment) === text);
    if (!told) throw new Error(`The demo’s document cannot tell “${text}”`);
    return told[0];
  };
  return html
    .replaceAll(MOMENT, (_time, look: string, iso: string, text: string) => {
      const at = Date.parse(iso);
      return `<time${look} data-at="${at - moment}" data-text="${wordsOf(at, text)}"></time>`;
    })
    .replaceAll(FEEDBACK_ID, (_id, at: string) => `EXPERIENCE_${Number(at) - moment}_`);
}
