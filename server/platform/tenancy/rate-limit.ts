import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { refusal } from '#contract/core/errors.ts';
import { deleteSome } from '../database/batches.ts';
import type { Transaction } from '../database/database.ts';
import { rateLimits } from '../database/tables.ts';
import { sha256 } from '../sha256.ts';
import type { ChangeContext, DatabaseAndClock, OperatorScope } from './access.ts';

/** How many requests are allowed. The name is part of the stored count's key. */
interface RateLimit {
  readonly name: string;
  readonly most: number;
  /** Length of the window (ms), which starts at the first counted request. */
  readonly within: number;
}

/** The transaction that stores the count, and the current time. */
type CountContext = Pick<ChangeContext, 'now'> & { readonly db: Transaction };

/**
 * Counts a request for `subject`, which is a network, an email address or an id, and refuses `too-many` beyond the limit. The counts
 * are shared by all processes and survive a restart; concurrent calls wait for each other.
 */
export async function countWithin(context: CountContext, limit: RateLimit, subject: string): Promise<void> {
  const retryAfter = await secondsOver(context, limit, subject);
  if (retryAfter !== undefined) throw refusal('too-many', { retryAfter });
}

/** Counts a request like `countWithin`, but returns whether it's within the limit. */
export async function isWithin(context: CountContext, limit: RateLimit, subject: string): Promise<boolean> {
  return (await secondsOver(context, limit, subject)) === undefined;
}

/**
 * Counts a request in its own transaction, so that it counts even if the request fails. Refused callers are refused from memory until
 * their window ends, so a flood doesn't reach the database.
 */
interface Gate {
  (subject: string): Promise<void>;
  /** Refuses a caller that is refused from memory, and counts nothing. */
  readonly check: (subject: string) => void;
}

export function openGate({ database, now }: DatabaseAndClock, limit: RateLimit): Gate {
  const closedUntil = new LRUCache<string, number>({ max: MOST_REMEMBERED });
  const check = (subject: string): void => {
    const closedFor = (closedUntil.get(subject) ?? 0) - now();
    if (closedFor > 0) throw refusal('too-many', { retryAfter: Math.ceil(closedFor / 1000) });
  };
  const count = async (subject: string): Promise<void> => {
    check(subject);
    const retryAfter = await database.transaction({}, (db) => secondsOver({ db, now: new Date(now()) }, limit, subject));
    if (retryAfter === undefined) return;
    closedUntil.set(subject, now() + retryAfter * 1000);
    throw refusal('too-many', { retryAfter });
  };
  return Object.assign(count, { check });
}

/** Refused callers remembered in memory; others are checked in the database. */
const MOST_REMEMBERED = 10_000;

async function secondsOver({ db, now }: CountContext, { name, most, within }: RateLimit, subject: string): Promise<number | undefined> {
  const isOver = sql`${rateLimits.since} <= ${new Date(now.getTime() - within)}`;
  const [row] = await db
    .insert(rateLimits)
    .values({ key: keyOf(name, subject), count: 1, since: now })
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

/** Deletes one batch of counts that started before a time, and returns how many. */
export const deleteCounts = ({ db }: OperatorScope, before: Date): Promise<number> =>
  deleteSome(db, rateLimits, sql`${rateLimits.since} < ${before}`);

/** Hashes the key, so that the table reveals no addresses. */
const keyOf = (name: string, subject: string): Buffer => sha256(JSON.stringify([name, subject]));
