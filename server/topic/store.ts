import { and, asc, count, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { feedbackIdFloor } from '#contract/core/ids.ts';
import { byDisplayName } from '#contract/core/names.ts';
import type { Range } from '#contract/core/time.ts';
import { NO_RATINGS, type Tally } from '#contract/feedback/tally.ts';
import { type FeedbackTopic, readPhrase } from '#contract/topic/topic.ts';
import {
  countedIds,
  countedWords,
  type IdRange,
  idsWithWords,
  lastOfNextTexts,
  newestWithWords,
  type SomeAnswers,
} from '../feedback/store.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { DELETED_IDS } from '../property/store.ts';
import { topicMatches as matches, topics } from './tables.ts';

export { DISTRIBUTED } from './tables.ts';

type TopicRow = typeof topics.$inferSelect;

/* ── Topics ── */

/** Returns the account's topics by name. */
export async function all({ accountId, db }: AccountScope): Promise<FeedbackTopic[]> {
  const rows = await db.select().from(topics).where(eq(topics.accountId, accountId));
  return rows.map(record).sort(byDisplayName);
}

/** Returns the topics with their queries, locked until the transaction ends, so that no two match the same answers at once. */
export const lockAll = ({ accountId, db }: AccountScope): Promise<TopicRow[]> =>
  db.select().from(topics).where(eq(topics.accountId, accountId)).orderBy(asc(topics.id)).for('no key update');

export async function byId({ accountId, db }: AccountScope, id: string): Promise<FeedbackTopic | undefined> {
  const [row] = await db.select().from(topics).where(isOf(accountId, id));
  return row && record(row);
}

/** Returns the accounts among these that have topics. */
export async function accountsWithTopics({ db }: OperatorScope, accountIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectDistinct({ accountId: topics.accountId })
    .from(topics)
    .where(inArray(topics.accountId, [...accountIds]));
  return new Set(rows.map(({ accountId }) => accountId));
}

export async function countOf({ accountId, db }: AccountScope): Promise<number> {
  const [row] = await db.select({ many: count() }).from(topics).where(eq(topics.accountId, accountId));
  return row?.many ?? 0;
}

type TopicValues = Pick<TopicRow, 'displayName' | 'phrases'>;

export async function insert(scope: AccountScope, { id, phrases, ...row }: TopicValues & { readonly id: string }): Promise<FeedbackTopic> {
  const { accountId, db, now } = scope;
  const [stored] = await db
    .insert(topics)
    .values({ ...row, accountId, id, phrases, query: queryOf(phrases), created: now })
    .returning();
  if (!stored) throw new Error('The topic was not stored');
  return record(stored);
}

type TopicChanges = { readonly [Field in 'displayName' | 'phrases' | 'isHidden']?: TopicRow[Field] | undefined };

/** Changes a topic. Other phrases make its matches outdated; the same ones don't. */
export async function change(scope: AccountScope, id: string, { phrases, ...changes }: TopicChanges): Promise<FeedbackTopic | undefined> {
  const { accountId, db } = scope;
  const query = phrases && queryOf(phrases);
  const [row] = await db
    .update(topics)
    .set({
      id,
      ...changes,
      ...(query && { phrases, query, matched: ifSame(query, topics.matched), reached: ifSame(query, topics.reached) }),
    })
    .where(isOf(accountId, id))
    .returning();
  return row && record(row);
}

const ifSame = (query: SQL<string>, column: typeof topics.matched | typeof topics.reached): SQL =>
  sql`case when ${topics.query} = ${query} then ${column} end`;

/** Deletes a topic. Returns false for an unknown one. */
export async function remove({ accountId, db }: AccountScope, id: string): Promise<boolean> {
  const { rowCount } = await db.delete(topics).where(isOf(accountId, id));
  return rowCount === 1;
}

/** Returns SQL of a text query for any of the phrases; empty without phrases. */
function queryOf(phrases: readonly string[]): SQL<string> {
  const read = phrases.map(readPhrase);
  const wordsOf = (isPrefix: boolean) => sql.param(read.filter((phrase) => phrase.isPrefix === isPrefix).map(({ words }) => words));
  // Folded words contain no quotes or backslashes.
  return sql<string>`(
    select coalesce(string_agg('(' || query || ')', ' | '), '') from (
      select phraseto_tsquery('simple', folded(words))::text as query from unnest(${wordsOf(false)}::text[]) as exact (words)
      union all
      select to_tsquery('simple', '''' || folded(words) || ''':*')::text from unnest(${wordsOf(true)}::text[]) as continued (words)
    ) as queries where query <> '')`;
}

/* ── Answers ── */

/** Deletes the matches of some answers with all topics. Lock the topics first. */
export async function unmatch({ accountId, db }: AccountScope, feedbackIds: readonly string[]): Promise<void> {
  await db.delete(matches).where(and(eq(matches.accountId, accountId), inArray(matches.feedbackId, [...feedbackIds])));
}

/** Matches some answers with topics. Lock the topics first. */
export async function match({ accountId, db }: AccountScope, rows: readonly TopicRow[], answers: SomeAnswers): Promise<void> {
  const withQuery = rows.filter(({ query }) => query !== '');
  const [topicIds, queries] = [sql.param(withQuery.map(({ id }) => id)), sql.param(withQuery.map(({ query }) => query))];
  if (withQuery.length === 0) return;
  await db.execute(sql`
    insert into ${matches} (account_id, topic_id, feedback_id, property_id, rating)
    select answer.account_id, wanted.id, answer.id, answer.property_id, answer.rating
      from (${countedWords(accountId, answers)}) as answer, unnest(${topicIds}::text[], ${queries}::text[]) as wanted (id, query)
     where answer.words @@ wanted.query::tsquery
    on conflict do nothing`);
}

/**
 * Matches an account's next texts with a topic, newest first, from where the last call ended. Reads them in order, because the word
 * index finds all answers with a common word at once. Returns whether more are left. Lock the topics first.
 */
export async function matchNext(scope: AccountScope, topic: TopicRow, most: number): Promise<boolean> {
  if (topic.matched) return false;
  const { accountId, db, now } = scope;
  const to = topic.reached ?? undefined;
  const from = await lastOfNextTexts(scope, { start: to, order: 'newest' }, most);
  await db.delete(matches).where(and(isAbout(accountId, topic.id), ...isAmong({ from, to })));
  await match(scope, [topic], { from, to });
  await db
    .update(topics)
    .set(from === undefined ? { matched: now } : { reached: from })
    .where(isOf(accountId, topic.id));
  return from !== undefined;
}

const isAmong = ({ from, to }: IdRange): SQL[] => [
  ...(from === undefined ? [] : [gte(matches.feedbackId, from)]),
  ...(to === undefined ? [] : [lt(matches.feedbackId, to)]),
];

/** Deletes the next matches of a deleted topic. Returns whether more are left. */
export async function unmatchNext({ accountId, db }: AccountScope, topicId: string, most: number): Promise<boolean> {
  const next = db.select({ id: matches.feedbackId }).from(matches).where(isAbout(accountId, topicId)).limit(most);
  const { rowCount } = await db.delete(matches).where(and(isAbout(accountId, topicId), inArray(matches.feedbackId, next)));
  return rowCount === most;
}

const isAbout = (accountId: string, topicId: string) => and(eq(matches.accountId, accountId), eq(matches.topicId, topicId));

/**
 * Returns the ids of the counted answers with any of the phrases, newest first. If `most` answers or more have one, returns any of them,
 * also some that aren't counted.
 */
export async function matchingPhrases(scope: AccountScope, phrases: readonly string[], most: number): Promise<string[]> {
  const ids = await idsWithWords(scope, sql`(${queryOf(phrases)})::tsquery`, most);
  return ids.length < most ? countedIds(scope, ids) : ids;
}

/** Returns the ids of the newest answers with any of the phrases, if they are among the account's latest texts. */
export const newestMatchingPhrases = (scope: AccountScope, phrases: readonly string[], most: number): Promise<string[]> =>
  newestWithWords(scope, sql`(${queryOf(phrases)})::tsquery`, most);

interface MatchQuery extends Range {
  readonly propertyId?: string | undefined;
}

/** Returns the ratings of the answers about each topic in a period. */
export async function countsOf({ accountId, db }: AccountScope, { propertyId, from, to }: MatchQuery): Promise<ReadonlyMap<string, Tally>> {
  const rows = await db
    .select({ topicId: matches.topicId, rating: matches.rating, answers: sql<number>`count(*)::int` })
    .from(matches)
    .where(and(eq(matches.accountId, accountId), isWithin({ from, to }), ofProperty(propertyId)))
    .groupBy(matches.topicId, matches.rating);
  const tallies = new Map<string, Tally>();
  for (const { topicId, rating, answers } of rows) {
    const tally: Tally = [...(tallies.get(topicId) ?? NO_RATINGS)];
    tally[rating - 1] = answers;
    tallies.set(topicId, tally);
  }
  return tallies;
}

/** Returns the ids of the newest answers about a topic in a period. */
export async function newest({ accountId, db }: AccountScope, topicId: string, { propertyId, from, to }: MatchQuery, most: number) {
  const rows = await db
    .select({ id: matches.feedbackId })
    .from(matches)
    .where(and(isAbout(accountId, topicId), isWithin({ from, to }), ofProperty(propertyId)))
    .orderBy(desc(matches.feedbackId))
    .limit(most);
  return rows.map(({ id }) => id);
}

const isWithin = ({ from, to }: Range): SQL | undefined =>
  and(gte(matches.feedbackId, feedbackIdFloor(from)), lt(matches.feedbackId, feedbackIdFloor(to)));

const ofProperty = (propertyId: string | undefined): SQL =>
  propertyId === undefined ? sql`${matches.propertyId} <> all (array(${sql.raw(DELETED_IDS)}))` : eq(matches.propertyId, propertyId);

const isOf = (accountId: string, id: string) => and(eq(topics.accountId, accountId), eq(topics.id, id));

const record = ({ id, accountId, displayName, phrases, isHidden, created, matched }: TopicRow): FeedbackTopic => ({
  id,
  sk: 'TOPIC',
  gs1sk: accountId,
  data: { accountId, displayName, phrases, isHidden, created: created.getTime(), isMatched: matched !== null },
});
