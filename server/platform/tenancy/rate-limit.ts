import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { refusal } from '#contract/core/errors.ts';
import { deleteSome } from '../database/batches.ts';
import type { Transaction } from '../database/database.ts';
import { rateLimits } from '../database/tables.ts';
import type { Acting, Clocked, OperatorScope } from './access.ts';

/** How often something may be asked for. The name is stored as a part of the count's key. */
export interface RateLimit {
  readonly name: string;
  readonly most: number;
  /** Within so many ms of the first one counted. */
  readonly within: number;
}

/** The transaction that the count is a part of, and the moment. */
type Counting = Pick<Acting, 'now'> & { readonly db: Transaction };

/**
 * Counts one more for `who`: an address, an email, a person's or an account's id. Refuses `too-many` beyond the limit. All
 * processes count together, a restart forgets nothing, and calls side by side wait for each other.
 */
export async function countWithin(counting: Counting, limit: RateLimit, who: string): Promise<void> {
  const retryAfter = await secondsOver(counting, limit, who);
  if (retryAfter !== undefined) throw refusal('too-many', { retryAfter });
}

/** The same where being over the limit is no refusal. */
export async function isWithin(counting: Counting, limit: RateLimit, who: string): Promise<boolean> {
  return (await secondsOver(counting, limit, who)) === undefined;
}

/**
 * Counts before anything else is done, in a transaction of its own, so that it stays counted whatever comes of it. Whoever was
 * refused is refused from memory until they may go on, so a flood of refusals does not reach the database.
 */
export function openGate({ database, now }: Clocked, limit: RateLimit): (who: string) => Promise<void> {
  const closedUntil = new LRUCache<string, number>({ max: MOST_REMEMBERED });
  return async (who) => {
    const closedFor = (closedUntil.get(who) ?? 0) - now();
    if (closedFor > 0) throw refusal('too-many', { retryAfter: Math.ceil(closedFor / 1000) });
    const over = await database.transaction({}, (db) => secondsOver({ db, now: new Date(now()) }, limit, who));
    if (over === undefined) return;
    closedUntil.set(who, now() + over * 1000);
    throw refusal('too-many', { retryAfter: over });
  };
}

/** Those refused longest ago ask the database again. */
const MOST_REMEMBERED = 10_000;

async function secondsOver({ db, now }: Counting, { name, most, within }: RateLimit, who: string): Promise<number | undefined> {
  const isOver = sql`${rateLimits.since} <= ${new Date(now.getTime() - within)}`;
  const [row] = await db
    .insert(rateLimits)
    .values({ key: keyOf(name, who), count: 1, since: now })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`case when ${isOver} then 1 else ${rateLimits.count} + 1 end`,
        since: sql`case when ${isOver} then excluded.since else ${rateLimits.since} end`,
      },
    })
    .returning();
  if (!row || row.count <= most) return undefined;
  return Math.max(1, Math.ceil((row.since.getTime() + within - now.getTime()) / 1000));
}

/** Forgets what was counted before. */
export const forgetCounts = ({ db }: OperatorScope, before: Date): Promise<number> =>
  deleteSome(db, rateLimits, sql`${rateLimits.since} < ${before}`);

/** A hash: whom it counts is nobody's to read. */
const keyOf = (name: string, who: string): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([name, who]))
    .digest();
