import { gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { termsOf } from '#contract/feedback/search.ts';
import { FINDER_ROLE, FOUND_IDS, storeFoundIds } from '../platform/database/database.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { feedback } from './tables.ts';

/** More than this is not looked up by the index of words: then the newest few are found sooner by reading on from the newest. */
const MOST_FOUND = 2_000;

/**
 * What visitors' words must say, as a condition (docs/rules.md#search). The index of words is read as a role that sees every
 * account's ids and words: row security lets no index answer such a question, for its operator might leak. What is found are
 * ids of this account, and they are read under row security like any others.
 */
export async function saying(scope: AccountScope, search: string): Promise<SQL> {
  const isSaid = saidIn(scope, search);
  if (!isSaid) return sql`false`;
  // Opaque, so that nobody expects it to be rare.
  return (await isOneOfFew(scope, isSaid)) ?? sql`case when ${isSaid} then true else false end`;
}

/** Ids that a search is limited to; `to` is exclusive. */
export interface IdRange {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/**
 * Returns the same condition for a count, which would read a common word's texts one by one where a list reads the newest few. The
 * index finds all ids, and they stay in the database, in a setting of this transaction: there may be hundreds of thousands.
 */
export async function sayingForCount(scope: AccountScope, search: string, { from, to }: IdRange): Promise<SQL> {
  const isSaid = saidIn(scope, search);
  if (!isSaid) return sql`false`;
  const few = await isOneOfFew(scope, isSaid);
  if (few) return few;
  await asFinder(scope, () =>
    scope.db.execute(
      sql`select ${storeFoundIds(sql`string_agg(id, ' ')`)} is null from feedback
         where account_id = ${scope.accountId} and ${isSaid}
           and ${from === undefined ? sql`true` : gte(feedback.id, from)} and ${to === undefined ? sql`true` : lt(feedback.id, to)}`,
    ),
  );
  // Opaque, so that the ids are hashed, whatever the planner expects of the other filters.
  return sql`case when ${feedback.id} in (${FOUND_IDS}) then true else false end`;
}

/** Undefined where the index finds more than `MOST_FOUND`. */
async function isOneOfFew(scope: AccountScope, isSaid: SQL): Promise<SQL | undefined> {
  const { rows } = await asFinder(scope, () =>
    scope.db.execute<{ id: string }>(
      sql`select id from feedback where account_id = ${scope.accountId} and ${isSaid} limit ${MOST_FOUND + 1}`,
    ),
  );
  if (rows.length > MOST_FOUND) return undefined;
  return rows.length === 0
    ? sql`false`
    : inArray(
        feedback.id,
        rows.map(({ id }) => id),
      );
}

/** Runs a query as the role that sees every account's ids and words. */
async function asFinder<Answer>({ db }: AccountScope, ask: () => Promise<Answer>): Promise<Answer> {
  await db.execute(sql.raw(`set local role ${FINDER_ROLE}`));
  const answer = await ask();
  await db.execute(sql`reset role`);
  return answer;
}

/** Undefined where the search has no word. */
function saidIn({ accountId }: AccountScope, search: string): SQL | undefined {
  const query = queryOf(accountId, search);
  return query && sql`${feedback.text} is not null and searched(${feedback.accountId}, ${feedback.text}) @@ (${query})`;
}

/** The account is a word, too. Undefined where the search has no word. */
function queryOf(accountId: string, search: string): SQL | undefined {
  const terms = termsOf(search).map(({ words, isPrefix }) =>
    // What is folded has no quote and no backslash left.
    isPrefix ? sql`to_tsquery('simple', '''' || folded(${words}) || ''':*')` : sql`phraseto_tsquery('simple', folded(${words}))`,
  );
  return terms.length === 0 ? undefined : sql.join([sql`${`'@${accountId}'`}::tsquery`, ...terms], sql` && `);
}
