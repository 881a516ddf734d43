import { and, asc, desc, eq, gt, gte, inArray, lt, lte, type SQL, sql } from 'drizzle-orm';
import { ORDER_NUMBER } from '#contract/feedback/order-number.ts';
import { termsOf } from '#contract/feedback/search.ts';
import { BECOME_FINDER, FOUND_IDS, storeFoundIds } from '../platform/database/database.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { feedback, HAS_COUNTED_TEXT } from './tables.ts';

/** A word with more matches than this isn't looked up in the word index: scanning from the newest finds the first page sooner. */
const MOST_MATCHES = 2_000;
/** Texts that are read for the newest answers with a common word. @limit topics */
const LATEST_TEXTS = 20_000;

/** A text's words, as `searched` has them in the word index without their account. */
const WORDS = sql.raw(`to_tsvector('simple', folded(text))`);

/** Where a list starts, exclusive, and the way it goes. Undefined: at the newest or oldest feedback. */
export interface ListStart {
  readonly start: string | undefined;
  readonly order: 'newest' | 'oldest';
}

interface FoundMatches {
  readonly condition: SQL;
  /** False if there may be more matches. */
  readonly isComplete: boolean;
}

/**
 * Returns the condition that feedback is among the list's next texts and matches a search. Returns undefined if fewer texts are left, or
 * the search has no words.
 */
export async function nextTextMatches(scope: AccountScope, search: string, start: ListStart, most: number): Promise<SQL | undefined> {
  const query = queryOf(search);
  if (!query) return undefined;
  const last = await lastOfNextTexts(scope, start, most);
  if (last === undefined) return undefined;
  const isUntil = start.order === 'oldest' ? lte : gte;
  return sql`${await orHasOrderNumber(scope, search, inText(query))} and ${isUntil(feedback.id, last)}`;
}

/** Returns the id of the last of the next texts. Returns undefined if an account has fewer left. */
export async function lastOfNextTexts(
  { accountId, db }: AccountScope,
  { start, order }: ListStart,
  most: number,
): Promise<string | undefined> {
  const [isAfter, inOrder] = order === 'oldest' ? [gt, asc] : [lt, desc];
  const [last] = await db
    .select({ id: feedback.id })
    .from(feedback)
    .where(and(eq(feedback.accountId, accountId), sql.raw(HAS_COUNTED_TEXT), start === undefined ? undefined : isAfter(feedback.id, start)))
    .orderBy(inOrder(feedback.id))
    .offset(most - 1)
    .limit(1);
  return last?.id;
}

/**
 * Returns the condition that visitors' text matches a search (docs/rules.md#search). The word index is read as a role that sees every
 * account's ids and text, because row security uses no index for an operator that isn't leakproof. The matching ids belong to this
 * account, and their rows are read under row security.
 */
export async function textMatches(scope: AccountScope, search: string): Promise<SQL> {
  const query = queryOf(search);
  const words = query && ((await isAmongFew(scope, query)) ?? inText(query));
  return orHasOrderNumber(scope, search, words ?? sql`false`);
}

/** Extends a condition to answers whose order number is the whole search. */
export async function orHasOrderNumber({ accountId, db }: AccountScope, search: string, condition: SQL): Promise<SQL> {
  if (!ORDER_NUMBER.test(search.trim())) return condition;
  const rows = await db
    .select({ id: feedback.id })
    .from(feedback)
    .where(and(eq(feedback.accountId, accountId), eq(feedback.orderNumber, search.trim())))
    .limit(MOST_MATCHES);
  const ids = rows.map(({ id }) => id);
  return ids.length === 0 ? condition : sql`(${condition} or ${inArray(feedback.id, ids)})`;
}

/** The range of ids a search is limited to; `to` is exclusive. */
export interface IdRange {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/**
 * Returns the same condition for a count, which reads every match, or the first `most`, where a list reads the newest few. The index
 * finds their ids, and they stay in the database, in a setting of this transaction, because there may be hundreds of thousands.
 */
export async function textMatchesForCount(
  scope: AccountScope,
  search: string,
  { from, to, most }: IdRange & { readonly most?: number },
): Promise<FoundMatches> {
  const query = queryOf(search);
  if (!query) return { condition: sql`false`, isComplete: true };
  const matching = sql`select id from feedback
     where account_id = ${scope.accountId} and ${inIndex(scope, query)}
       and ${from === undefined ? sql`true` : gte(feedback.id, from)} and ${to === undefined ? sql`true` : lt(feedback.id, to)}
     limit ${most ?? null}`;
  if (scope.db.isDistributed) return sentMatches(scope, matching, most);
  const { rows } = await asFinder(scope, () =>
    scope.db.execute<{ many: number }>(
      sql`select count(*)::integer as many, ${storeFoundIds(sql`string_agg(id, ' ')`)} is null from (${matching}) as found`,
    ),
  );
  const many = rows[0]?.many ?? 0;
  const isComplete = most === undefined || many < most;
  if (many === 0) return { condition: sql`false`, isComplete };
  if (most !== undefined) return { condition: sql`${feedback.id} = any (array(${FOUND_IDS}))`, isComplete };
  // Opaque, so that the planner hashes hundreds of thousands of ids whatever it expects of the other filters.
  return { condition: sql`case when ${feedback.id} in (${FOUND_IDS}) then true else false end`, isComplete };
}

/** Returns the condition with the ids in it, because Citus doesn't repeat a stored setting on the worker that needs it. */
async function sentMatches(scope: AccountScope, matching: SQL, most: number | undefined): Promise<FoundMatches> {
  const { rows } = await asFinder(scope, () => scope.db.execute<{ id: string }>(matching));
  const ids = rows.map(({ id }) => id);
  return { condition: sql`${feedback.id} = any (${sql.param(ids)}::text[])`, isComplete: most === undefined || ids.length < most };
}

/** Answers with these ids, or in a range. */
export type SomeAnswers = { readonly ids: readonly string[] } | IdRange;

/** Returns SQL that selects some of an account's counted answers with their words. `offset 0` computes the words once for each. */
export const countedWords = (accountId: string, answers: SomeAnswers): SQL =>
  sql`select account_id, id, property_id, rating, ${WORDS} as words from feedback
       where account_id = ${accountId} and ${isAmong(answers)} and ${sql.raw(HAS_COUNTED_TEXT)} offset 0`;

function isAmong(answers: SomeAnswers): SQL {
  if ('ids' in answers) return sql`id = any (${sql.param([...answers.ids])}::text[])`;
  const { from, to } = answers;
  return sql`${from === undefined ? sql`true` : sql`id >= ${from}`} and ${to === undefined ? sql`true` : sql`id < ${to}`}`;
}

/** Returns the ids of an account's answers that match a text query, newest first: all, or any `most` of them. */
export async function idsWithWords(scope: AccountScope, query: SQL, most?: number): Promise<string[]> {
  // The limit ends the search of the index, and keeps the planner from reading all answers in order instead.
  const matching = sql`select id from feedback
     where account_id = ${scope.accountId} and ${inIndex(scope, query)}
     limit ${most ?? null} offset 0`;
  const { rows } = await asFinder(scope, () =>
    scope.db.execute<{ id: string }>(sql`select id from (${matching}) as found order by id desc`),
  );
  return rows.map(({ id }) => id);
}

/** Returns the ids of those answers that are counted, newest first. */
export async function countedIds({ accountId, db }: AccountScope, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ id: feedback.id })
    .from(feedback)
    .where(and(eq(feedback.accountId, accountId), isAmong({ ids }), sql.raw(HAS_COUNTED_TEXT)))
    .orderBy(desc(feedback.id));
  return rows.map(({ id }) => id);
}

/** Returns the ids of the newest answers that match a query, if they are among the account's latest texts. */
export async function newestWithWords({ accountId, db }: AccountScope, query: SQL, most: number): Promise<string[]> {
  const texts = sql`select id, ${WORDS} as words from feedback
     where account_id = ${accountId} and ${sql.raw(HAS_COUNTED_TEXT)} order by id desc limit ${LATEST_TEXTS}`;
  const { rows } = await db.execute<{ id: string }>(sql`select id from (${texts}) as latest where words @@ (${query}) limit ${most}`);
  return rows.map(({ id }) => id);
}

/** Returns undefined for more than `MOST_MATCHES` matches. */
async function isAmongFew(scope: AccountScope, query: SQL): Promise<SQL | undefined> {
  const { rows } = await asFinder(scope, () =>
    scope.db.execute<{ id: string }>(
      sql`select id from feedback where account_id = ${scope.accountId} and ${inIndex(scope, query)} limit ${MOST_MATCHES + 1}`,
    ),
  );
  if (rows.length > MOST_MATCHES) return undefined;
  return rows.length === 0
    ? sql`false`
    : inArray(
        feedback.id,
        rows.map(({ id }) => id),
      );
}

/** Runs a query as the role that sees every account's ids and text. */
async function asFinder<Result>({ db }: AccountScope, query: () => Promise<Result>): Promise<Result> {
  await db.execute(BECOME_FINDER);
  const result = await query();
  await db.execute(sql`reset role`);
  return result;
}

/** Returns a text query, or undefined for a search without words. */
function queryOf(search: string): SQL | undefined {
  const terms = termsOf(search).map(({ words, isPrefix }) =>
    // Folded words contain no quotes or backslashes.
    isPrefix ? sql`to_tsquery('simple', '''' || folded(${words}) || ''':*')` : sql`phraseto_tsquery('simple', folded(${words}))`,
  );
  return terms.length === 0 ? undefined : sql`(${sql.join(terms, sql` && `)})`;
}

/** Returns the condition that the word index finds a text. */
const inIndex = ({ accountId }: AccountScope, query: SQL): SQL =>
  sql`${feedback.text} is not null and searched(${feedback.accountId}, ${feedback.text}) @@ owned(${accountId}, ${query})`;

/** Returns the same condition for texts that are read in order. It's opaque, so that the planner doesn't assume few matches. */
const inText = (query: SQL): SQL => sql`case when ${WORDS} @@ ${query} then true else false end`;
