import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { account, dana } from '#fixtures/business.ts';
import { sampleFeedback } from '#fixtures/feedback.ts';
import { CallError } from './errors.ts';
import { followEvents } from './live.ts';
import {
  accountQuery,
  brandQuery,
  conversationQuery,
  createQueryClient,
  feedQuery,
  formVersionQuery,
  headQuery,
  historyQuery,
  inboxQuery,
  itemQuery,
  kiosksQuery,
  notificationsQuery,
  propertiesQuery,
  savedViewsQuery,
  tagsQuery,
  toolsQuery,
  totalsQuery,
  userQuery,
  usersQuery,
  webhooksQuery,
} from './queries.ts';
import type { DataSource, LiveEvent } from './source.ts';

/* A page's cache over a stub server, whose answers each test sets. */

/** The server's feedback: 130 items that wait, oldest first. */
let rows: Feedback[];
let calls: string[];
let answer: (action: string, input: { feedbackIds?: string[]; cursor?: string }) => unknown;
let client: ReturnType<typeof createQueryClient>;
let emit: (event: LiveEvent) => void;
let unsubscribe: () => void;

const source: DataSource = {
  id: 'server',
  // The stubs return parts of an operation's answer.
  call: async (service, action, input) => {
    calls.push(`${service}.${String(action)}`);
    return (await answer(String(action), input as never)) as never;
  },
  listen(onEvent) {
    emit = onEvent;
    return () => undefined;
  },
};
const URGENT = { accountId: account.id, kind: 'urgent', order: 'oldest' } as const;
const ELSEWHERE = { accountId: account.id } as const;
const GAP: LiveEvent = { name: 'missed' };
/** The longest time before a page refetches (ms). */
const SOON = 2_000;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  rows = sampleFeedback(Date.UTC(2026, 10, 20)).slice(0, 130);
  calls = [];
  answer = (action, { feedbackIds, cursor = '0' }) => {
    if (action === 'some') return { status: 'ok', feedback: rows.filter(({ id }) => feedbackIds?.includes(id)) };
    const next = Number(cursor) + 25;
    return { status: 'ok', feedback: rows.slice(Number(cursor), next), cursor: next < rows.length ? String(next) : null };
  };
  client = createQueryClient();
  unsubscribe = followEvents({ client, source });
});
afterEach(() => {
  unsubscribe();
  client.clear();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Shows a list with all of its pages; returns a function that reads its rows. */
async function showList(): Promise<() => (string | undefined)[]> {
  const observer = new InfiniteQueryObserver(client, { ...feedQuery(source, URGENT), staleTime: Number.POSITIVE_INFINITY });
  observer.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  while (observer.getCurrentResult().hasNextPage) await observer.fetchNextPage();
  calls = [];
  return () =>
    observer.getCurrentResult().data?.pages.flatMap(({ feedback }) => feedback.map(({ id, data }) => `${id} ${data.status}`)) ?? [];
}

const done = (row: Feedback): Feedback => ({ ...row, data: { ...row.data, status: 'done' } });
const serverRows = () => rows.map(({ id, data }) => `${id} ${data.status}`);

describe('after a gap', () => {
  it('refetches every row on screen in place', async () => {
    const list = await showList();
    expect(list()).toEqual(serverRows());
    rows = rows.map(done);
    emit(GAP);
    await vi.advanceTimersByTimeAsync(SOON);
    expect(list()).toEqual(serverRows());
    expect(calls).toEqual(['feedback.some', 'feedback.some']);
  });

  it('retries while the server is busy', async () => {
    const list = await showList();
    rows = rows.map(done);
    const usual = answer;
    answer = (...given) => {
      answer = usual;
      throw new CallError('', { status: 503, code: given[0] });
    };
    emit(GAP);
    await vi.advanceTimersByTimeAsync(SOON + 5_000);
    expect(list()).toEqual(serverRows());
  });

  it('invalidates everything that an event can change', () => {
    const queries = [
      ...[
        accountQuery,
        brandQuery,
        usersQuery,
        propertiesQuery,
        toolsQuery,
        kiosksQuery,
        tagsQuery,
        savedViewsQuery,
        webhooksQuery,
        inboxQuery,
      ].map((query) => query(source, account.id)),
      userQuery(source, dana.id),
      formVersionQuery(source, 'FORM_Pier04'),
      historyQuery(source, 'EXPERIENCE_1'),
      itemQuery(source, 'EXPERIENCE_1'),
      conversationQuery(source, 'EXPERIENCE_1'),
      notificationsQuery(source),
    ].map(({ queryKey }) => queryKey as readonly unknown[]);
    for (const queryKey of queries) client.setQueryData(queryKey, {});
    emit(GAP);
    vi.advanceTimersByTime(SOON);
    expect(queries.filter((queryKey) => !client.getQueryState(queryKey)?.isInvalidated)).toEqual([]);
  });

  it('drops lists that aren’t on screen, so that they load again when opened', () => {
    const { queryKey } = feedQuery(source, ELSEWHERE);
    client.setQueryData(queryKey, { pages: [{ status: 'ok', feedback: rows, cursor: null }], pageParams: [undefined] });
    client.setQueryData(headQuery(source, ELSEWHERE).queryKey, { status: 'ok', feedback: rows, cursor: null });
    emit(GAP);
    vi.advanceTimersByTime(SOON);
    expect([client.getQueryData(queryKey), client.getQueryData(headQuery(source, ELSEWHERE).queryKey)]).toEqual([undefined, undefined]);
  });

  it('refetches once for several gaps, at a random moment', async () => {
    await showList();
    const observer = new QueryObserver(client, inboxQuery(source, account.id));
    observer.subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    calls = [];
    vi.spyOn(Math, 'random').mockReturnValueOnce(0.5);
    for (let times = 0; times < 5; times += 1) emit(GAP);
    await vi.advanceTimersByTimeAsync(SOON / 2 - 1);
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(SOON);
    expect(calls.toSorted()).toEqual(['feedback.inbox', 'feedback.some', 'feedback.some']);
  });
});

describe('an event', () => {
  it('refetches only its row, and shows the state after the last event', async () => {
    const list = await showList();
    const [first, second] = rows as [Feedback, Feedback];
    const event = { name: 'feedback.status-changed', subject: first.id, data: {} } as LiveEvent;
    const opened = { ...first, data: { ...first.data, status: 'open' as const } };
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    answer = async () => {
      await released;
      return { status: 'ok', feedback: [opened] };
    };
    emit(event);
    await vi.advanceTimersByTimeAsync(150);
    answer = () => ({ status: 'ok', feedback: [done(first)] });
    emit(event);
    await vi.advanceTimersByTimeAsync(150);
    release();
    await vi.advanceTimersByTimeAsync(0);
    expect(list().slice(0, 2)).toEqual([`${first.id} done`, `${second.id} ${second.data.status}`]);
    expect(calls).toEqual(['feedback.some', 'feedback.some']);
  });

  it('of a conversation refetches that conversation; a message also refetches its row, the counts and the bell', async () => {
    const list = await showList();
    const [first, second] = rows as [Feedback, Feedback];
    const [mine, other] = [first, second].map(({ id }) => conversationQuery(source, id).queryKey as readonly unknown[]);
    const others = [
      totalsQuery(source, account.id),
      inboxQuery(source, account.id),
      notificationsQuery(source),
      historyQuery(source, first.id),
    ];
    const around = others.map(({ queryKey }) => queryKey as readonly unknown[]);
    for (const queryKey of [mine, other, ...around]) if (queryKey) client.setQueryData(queryKey, {});
    const areStale = (keys: readonly (readonly unknown[] | undefined)[]) =>
      keys.map((queryKey) => queryKey && client.getQueryState(queryKey)?.isInvalidated);
    const event = (name: 'conversation.seen' | 'conversation.received') => ({ name, subject: first.id, data: {} }) as LiveEvent;
    emit(event('conversation.seen'));
    await vi.advanceTimersByTimeAsync(150);
    expect([...areStale([mine, other]), calls]).toEqual([true, false, []]);
    rows = rows.map(done);
    emit(event('conversation.received'));
    await vi.advanceTimersByTimeAsync(150);
    expect(areStale(around)).toEqual([true, true, true, true]);
    expect(list().slice(0, 2)).toEqual([`${first.id} done`, `${second.id} ${second.data.status}`]);
  });
});
