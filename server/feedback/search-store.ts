import { inArray, type SQL, sql } from 'drizzle-orm';
import { termsOf } from '#contract/search.ts';
import type { AccountScope } from '../kernel/access.ts';
import { FINDER_ROLE } from '../kernel/database.ts';
import { feedback } from './tables.ts';

/** More than this is not looked up by the index of words: then the newest few are found sooner by reading on from the newest. */
const MOST_FOUND = 2_000;

/**
 * What visitors' words must say, as a condition (docs/rules.md#search). The index of words is read as a role that sees every
 * account's ids and words: row security lets no index answer such a question, for its operator might leak. What is found are
 * ids of this account, and they are read under row security like any others.
 */
export async function saying({ accountId, db }: AccountScope, search: string): Promise<SQL> {
  const query = queryOf(accountId, search);
  if (!query) return sql`false`;
  const isSaid = sql`${feedback.text} is not null and searched(${feedback.accountId}, ${feedback.text}) @@ (${query})`;
  await db.execute(sql.raw(`set local role ${FINDER_ROLE}`));
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from feedback where account_id = ${accountId} and ${isSaid} limit ${MOST_FOUND + 1}`,
  );
  await db.execute(sql`reset role`);
  const ids = rows.map(({ id }) => id);
  // Opaque, so that nobody expects it to be rare.
  return ids.length > MOST_FOUND
    ? sql`case when ${isSaid} then true else false end`
    : ids.length > 0
      ? inArray(feedback.id, ids)
      : sql`false`;
}

/** The account is a word, too. Undefined where the search has no word. */
function queryOf(accountId: string, search: string): SQL | undefined {
  const terms = termsOf(search).map(({ words, isPrefix }) =>
    // What is folded has no quote and no backslash left.
    isPrefix ? sql`to_tsquery('simple', '''' || folded(${words}) || ''':*')` : sql`phraseto_tsquery('simple', folded(${words}))`,
  );
  return terms.length === 0 ? undefined : sql.join([sql`${`'@${accountId}'`}::tsquery`, ...terms], sql` && `);
}
