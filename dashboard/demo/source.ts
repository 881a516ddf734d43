import type { Feedback, Tally } from '#contract/feedback.ts';
import { isNamed } from '#contract/property.ts';
import { NOT_FOUND } from '#contract/schema.ts';
import { calendarDay, offset, startOfDay } from '#contract/time.ts';
import { account, dana, forms, properties, users } from '#fixtures/business.ts';
import { sampleFeedback } from '#fixtures/feedback.ts';
import type { FeedQuery, OverviewQuery, SummaryQuery } from '../data/queries.ts';
import type { CallOperation, Source } from '../data/source.ts';

/** Who looks at the demo, and from where. */
export const DEMO_TEAM = { account, user: dana, users, properties, isOperator: false, isDemo: true } as const;

/** For so long (ms) the sample stays the same, so that a page can be loaded again with what is open in it. */
const STEADY = 10 * 60_000;

/** The sample business in the browser: the same answers as the server would give, nothing saved, nobody signed in. */
export function createDemoSource(now: () => number = Date.now): Source {
  const feedback = sampleFeedback(Math.floor(now() / STEADY) * STEADY);
  const operations = {
    'account.get': () => ({ status: 'ok', account }),
    'user.get': ({ userId }: { userId: string }) =>
      ofOne(
        'user',
        users.find(({ id }) => id === userId),
      ),
    'user.list': () => ({ status: 'ok', users }),
    'property.list': () => ({ status: 'ok', properties }),
    'property.get': ({ propertyId }: { propertyId: string }) =>
      ofOne(
        'property',
        properties.find((property) => isNamed(propertyId, property)),
      ),
    'form.get': ({ formId }: { formId: string }) =>
      ofOne(
        'form',
        forms.find(({ id }) => id === formId),
      ),
    'feedback.list': (query: FeedQuery & { cursor?: string; limit?: number }) => list(feedback, query),
    'feedback.get': ({ feedbackId }: { feedbackId: string }) =>
      ofOne(
        'feedback',
        feedback.find(({ id }) => id === feedbackId),
      ),
    'feedback.summary': (query: SummaryQuery) => summarize(feedback, query),
    'feedback.overview': (query: OverviewQuery) => ({ status: 'ok', properties: properties.map(({ id }) => overviewOf(id, query)) }),
  };
  const overviewOf = (propertyId: string, { from, to, zone }: OverviewQuery) => {
    const { status: _status, ...counts } = summarize(feedback, { propertyId, from, to, zone, grain: 'day' }) as { status: string };
    return { propertyId, ...counts };
  };
  const call: CallOperation = async (service, action, input) => {
    const answer = (operations as Record<string, ((input: never) => unknown) | undefined>)[`${service}.${action}`];
    if (!answer) throw new Error('This is a demo: nothing is saved.');
    // The demo answers by the contract; its operations are keyed by text, which the compiler cannot follow.
    return answer(input as never) as never;
  };
  return { id: 'demo', call, listen: () => () => undefined };
}

const ofOne = (name: string, record: unknown): unknown => (record === undefined ? NOT_FOUND : { status: 'ok', [name]: record });

function list(all: readonly Feedback[], { cursor, limit = 25, ...query }: FeedQuery & { cursor?: string; limit?: number }): unknown {
  const matching = all.filter((item) => matches(item, query) && (cursor === undefined || item.id < cursor));
  const page = matching.slice(0, limit);
  return { status: 'ok', feedback: page, cursor: matching.length > limit ? (page.at(-1)?.id ?? null) : null };
}

function matches(
  { gs1sk, data }: Feedback,
  { propertyId, kind = 'all', source, rating, from = 0, to = Infinity, text }: FeedQuery,
): boolean {
  const isKind = kind === 'all' || (kind === 'urgent' ? gs1sk === 'URGENT' : data.kind === kind);
  const isWhere = propertyId === undefined || data.projectId === propertyId;
  const isWhen = data.created >= from && data.created < to;
  const isWhat = (source === undefined || data.source === source) && (rating === undefined || data.rating === rating);
  const says = !text || (data.textFeedback ?? '').toLowerCase().includes(text.trim().toLowerCase());
  return isKind && isWhere && isWhen && isWhat && says;
}

const HOUR = 3_600_000;

/** Of the wall clock's hour: some zones are half an hour beside UTC. */
function startOfHour(at: number, zone: string): number {
  const ahead = offset(at, zone);
  return Math.floor((at + ahead) / HOUR) * HOUR - ahead;
}

function summarize(all: readonly Feedback[], { propertyId, from, to, zone, grain = 'day' }: SummaryQuery): unknown {
  const ratings: Tally = [0, 0, 0, 0, 0];
  const trend = new Map<number, Tally>();
  let urgent = 0;
  for (const item of all.filter((each) => matches(each, { propertyId, from, to }))) {
    const { created, rating } = item.data;
    const at = grain === 'day' ? startOfDay(calendarDay(created, zone), zone) : startOfHour(created, zone);
    const bucket = trend.get(at) ?? [0, 0, 0, 0, 0];
    trend.set(at, bucket);
    bucket[rating - 1] = (bucket[rating - 1] ?? 0) + 1;
    ratings[rating - 1] = (ratings[rating - 1] ?? 0) + 1;
    if (item.gs1sk === 'URGENT') urgent += 1;
  }
  return { status: 'ok', ratings, urgent, trend: [...trend].sort(([a], [b]) => a - b).map(([at, counts]) => ({ at, ratings: counts })) };
}
