import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { account, dana } from '#fixtures/business.ts';
import { sampleFeedback } from '#fixtures/feedback.ts';
import { CallError } from './errors.ts';
import { followEvents } from './live.ts';
import {
  accountQuery,
  createQueryClient,
  feedQuery,
  formVersionQuery,
  headQuery,
  historyQuery,
  inboxQuery,
  itemQuery,
  notificationsQuery,
  propertiesQuery,
  savedViewsQuery,
  tagsQuery,
  toolsQuery,
  userQuery,
  usersQuery,
  webhooksQuery,
} from './queries.ts';
import type { DataSource, LiveEvent } from './source.ts';

/* A page's cache over a server that a test tells what to answer. */

/** What the server has: a waiting list of 130, the oldest first. */
let rows: Feedback[];
let asked: string[];
let answer: (action: string, input: { feedbackIds?: string[]; cursor?: string }) => unknown;
let client: ReturnType<typeof createQueryClient>;
let tell: (event: LiveEvent) => void;
let end: () => void;

const source: DataSource = {
  id: 'server',
  // What the tests answer is no whole answer of any operation.
  call: async (service, action, input) => {
    asked.push(`${service}.${String(action)}`);
    return (await answer(String(action), input as never)) as never;
  },
  listen(onEvent) {
    tell = onEvent;
    return () => undefined;
  },
};
const URGENT = { accountId: account.id, kind: 'urgent', order: 'oldest' } as const;
const ELSEWHERE = { accountId: account.id } as const;
const GAP: LiveEvent = { name: 'missed' };
/** Longer than a page waits before it reads anew (ms). */
const SOON = 2_000;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  rows = sampleFeedback(Date.UTC(2026, 10, 20)).slice(0, 130);
  asked = [];
  answer = (action, { feedbackIds, cursor = '0' }) => {
    if (action === 'some') return { status: 'ok', feedback: rows.filter(({ id }) => feedbackIds?.includes(id)) };
    const next = Number(cursor) + 25;
    return { status: 'ok', feedback: rows.slice(Number(cursor), next), cursor: next < rows.length ? String(next) : null };
  };
  client = createQueryClient();
  end = followEvents({ client, source });
});
afterEach(() => {
  end();
  client.clear();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A list on screen with all of its pages; gives how its rows stand. */
async function shown(): Promise<() => (string | undefined)[]> {
  const observer = new InfiniteQueryObserver(client, { ...feedQuery(source, URGENT), staleTime: Number.POSITIVE_INFINITY });
  observer.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  while (observer.getCurrentResult().hasNextPage) await observer.fetchNextPage();
  asked = [];
  return () =>
    observer.getCurrentResult().data?.pages.flatMap(({ feedback }) => feedback.map(({ id, data }) => `${id} ${data.status}`)) ?? [];
}

const done = (row: Feedback): Feedback => ({ ...row, data: { ...row.data, status: 'done' } });
const standing = () => rows.map(({ id, data }) => `${id} ${data.status}`);

describe('after a gap', () => {
  it('every row on screen says how it stands now, where it stands', async () => {
    const list = await shown();
    expect(list()).toEqual(standing());
    rows = rows.map(done);
    tell(GAP);
    await vi.advanceTimersByTimeAsync(SOON);
    expect(list()).toEqual(standing());
    expect(asked).toEqual(['feedback.some', 'feedback.some']);
  });

  it('rows are asked for again where the server is busy', async () => {
    const list = await shown();
    rows = rows.map(done);
    const calm = answer;
    answer = (...given) => {
      answer = calm;
      throw new CallError('', { status: 503, code: given[0] });
    };
    tell(GAP);
    await vi.advanceTimersByTimeAsync(SOON + 5_000);
    expect(list()).toEqual(standing());
  });

  it('everything that an event can change is old', () => {
    const queries = [
      ...[accountQuery, usersQuery, propertiesQuery, toolsQuery, tagsQuery, savedViewsQuery, webhooksQuery, inboxQuery].map((query) =>
        query(source, account.id),
      ),
      userQuery(source, dana.id),
      formVersionQuery(source, 'FORM_Pier04'),
      historyQuery(source, 'EXPERIENCE_1'),
      itemQuery(source, 'EXPERIENCE_1'),
      notificationsQuery(source),
    ].map(({ queryKey }) => queryKey as readonly unknown[]);
    for (const queryKey of queries) client.setQueryData(queryKey, {});
    tell(GAP);
    vi.advanceTimersByTime(SOON);
    expect(queries.filter((queryKey) => !client.getQueryState(queryKey)?.isInvalidated)).toEqual([]);
  });

  it('a list that is not on screen is read anew when it is opened', () => {
    const { queryKey } = feedQuery(source, ELSEWHERE);
    client.setQueryData(queryKey, { pages: [{ status: 'ok', feedback: rows, cursor: null }], pageParams: [undefined] });
    client.setQueryData(headQuery(source, ELSEWHERE).queryKey, { status: 'ok', feedback: rows, cursor: null });
    tell(GAP);
    vi.advanceTimersByTime(SOON);
    expect([client.getQueryData(queryKey), client.getQueryData(headQuery(source, ELSEWHERE).queryKey)]).toEqual([undefined, undefined]);
  });

  it('several at once are one, at a moment of this page’s own', async () => {
    await shown();
    const observer = new QueryObserver(client, inboxQuery(source, account.id));
    observer.subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    asked = [];
    vi.spyOn(Math, 'random').mockReturnValueOnce(0.5);
    for (let times = 0; times < 5; times += 1) tell(GAP);
    await vi.advanceTimersByTimeAsync(SOON / 2 - 1);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(SOON);
    expect(asked.toSorted()).toEqual(['feedback.inbox', 'feedback.some', 'feedback.some']);
  });
});

describe('an event', () => {
  it('leads to its row alone, as it stands after the last of them', async () => {
    const list = await shown();
    const [first, second] = rows as [Feedback, Feedback];
    const event = { name: 'feedback.status-changed', subject: first.id, data: {} } as LiveEvent;
    const opened = { ...first, data: { ...first.data, status: 'open' as const } };
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    answer = async () => {
      await held;
      return { status: 'ok', feedback: [opened] };
    };
    tell(event);
    await vi.advanceTimersByTimeAsync(150);
    answer = () => ({ status: 'ok', feedback: [done(first)] });
    tell(event);
    await vi.advanceTimersByTimeAsync(150);
    release();
    await vi.advanceTimersByTimeAsync(0);
    expect(list().slice(0, 2)).toEqual([`${first.id} done`, `${second.id} ${second.data.status}`]);
    expect(asked).toEqual(['feedback.some', 'feedback.some']);
  });
});
