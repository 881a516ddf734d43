import { createHash } from 'node:crypto';
import type { Transaction } from '../../kernel/database.ts';
import { type PoolError, passwordAttemptsExceeded, resetRequired, tooManyAttempts } from './errors.ts';
import { hostOf, networkOf } from './network.ts';
import * as store from './throttle-store.ts';
import { NEVER, type ThrottleRow } from './throttle-store.ts';

const SECOND = 1_000;
const QUARTER = 15 * 60_000;
const DAY = 86_400_000;
const LONG_QUIET = 30 * DAY;

/** How failures of one kind are held against the next try. Times in milliseconds. */
interface Rule {
  /** How long a lock lasts that the given number of failures has earned. */
  readonly lock: (failures: number, row: ThrottleRow, now: number) => number;
  /** From when on earlier failures are forgotten. */
  readonly forgottenAt: (row: ThrottleRow) => number;
  readonly refusal: () => PoolError;
}

/** Some tries are free; then each failure locks for twice as long as the one before, from a second to a quarter of an hour. */
const doubling = ({ free, quiet }: { free: number; quiet: number }): Rule => ({
  lock: (failures) => (failures < free ? 0 : Math.min(SECOND * 2 ** (failures - free), QUARTER)),
  forgottenAt: ({ last, lockedUntil }) => Math.max(last.getTime(), lockedUntil.getTime()) + quiet,
  refusal: passwordAttemptsExceeded,
});

/** One person's account from one neighbourhood, or from one browser that is known to be that person's. */
const PAIR = doubling({ free: 5, quiet: QUARTER });
/**
 * One account from wherever it may be: what many networks together may guess (R28; NIST SP 800-63B, 5.2.2). Then a
 * browser that is not known comes in by a reset only, and is told what Cognito says for that, be the account there or not.
 */
const ACCOUNT_MOST = 100;
const UNTIL_RESET = 365 * DAY;
const ACCOUNT: Rule = {
  lock: (failures) => (failures < ACCOUNT_MOST ? 0 : UNTIL_RESET),
  forgottenAt: ({ last, lockedUntil }) => Math.max(last.getTime() + LONG_QUIET, lockedUntil.getTime()),
  refusal: resetRequired,
};
/** One-time passwords on one account: whoever guesses at them has the password already, and a reset would not help. */
const CODES = doubling({ free: 20, quiet: DAY });
/** One address, whosever account it tries. */
const ADDRESS_MOST = 30;
const ADDRESS: Rule = {
  lock: (failures, { since }, now) => (failures < ADDRESS_MOST ? 0 : since.getTime() + QUARTER - now),
  forgottenAt: ({ since }) => since.getTime() + QUARTER,
  refusal: tooManyAttempts,
};

/** How long failures are kept at most after the last one and after its lock. */
export const LONGEST_MEMORY = LONG_QUIET;

/** A password, or a one-time password, that is about to be tried. */
export interface Guess {
  readonly kind: 'password' | 'code';
  /** As typed, in lower case; whether somebody has it makes no difference. */
  readonly email: string;
  readonly address: string;
  /** A browser that is known to be this person's: strangers' failures are none of its business. */
  readonly device: string | undefined;
  /** The same for a call of the client and its repetitions, so that these count once. */
  readonly idempotencyKey: Buffer | undefined;
}

/** A guess that was counted as a failure, until it turns out to be none. */
export interface Counted {
  readonly limits: readonly Limit[];
  readonly isRepeated: boolean;
}

interface Limit {
  readonly key: Buffer;
  readonly rule: Rule;
}

/**
 * Counts a guess before it is tried, so that guesses side by side cannot slip through; throws what a client is told
 * while there is a lock. A guess that meets a lock is not tried, and does not count.
 */
export async function count(db: Transaction, guess: Guess, now: number): Promise<Counted> {
  const { idempotencyKey } = guess;
  const limits = limitsFor(guess);
  const counted = (await lockRows(db, limits, now)).map(({ row, rule }) => ({ rule, row: remembered(row, rule, now) }));
  const isRepeated =
    idempotencyKey !== undefined && counted.some(({ row, rule }) => rule === PAIR && row.idempotencyKey?.equals(idempotencyKey) === true);
  if (isRepeated) return { limits, isRepeated };
  const locked = counted.find(({ row }) => row.lockedUntil.getTime() > now);
  if (locked) throw locked.rule.refusal();
  await store.save(
    db,
    counted.map(({ row, rule }) => ({ ...incremented(row, rule, now), idempotencyKey: idempotencyKey ?? null })),
  );
  return { limits, isRepeated };
}

/** The password was right: the person's failures are cleared. The address only has this one taken off, as anybody can sign in to an account of their own. */
export async function clear(db: Transaction, { limits }: Counted, now: number): Promise<void> {
  const counted = await lockRows(db, limits, now);
  const shared = counted.filter(({ rule }) => rule === ADDRESS);
  await store.save(
    db,
    shared.map(({ row, rule }) => decremented(row, rule)),
  );
  await store.remove(
    db,
    counted.filter(({ rule }) => rule !== ADDRESS).map(({ row }) => row.key),
  );
}

/** Takes off the failure that a guess was counted as, which was not tried after all. */
export async function undo(db: Transaction, { limits, isRepeated }: Counted, now: number): Promise<void> {
  if (isRepeated) return;
  const counted = await lockRows(db, limits, now);
  await store.save(
    db,
    counted.map(({ row, rule }) => decremented(row, rule)),
  );
}

/** A reset by mail: whoever did it starts afresh, and so does the account. */
export async function reset(db: Transaction, { email, address }: Pick<Guess, 'email' | 'address'>): Promise<void> {
  await store.remove(db, [keyOf('account', email), keyOf('network', email, networkOf(address))]);
}

function limitsFor({ kind, email, address, device }: Guess): Limit[] {
  const key = (...parts: string[]) => (kind === 'password' ? keyOf(...parts) : keyOf(kind, ...parts));
  if (device !== undefined) return [{ key: key('device', email, device), rule: PAIR }];
  return [
    { key: key('account', email), rule: kind === 'password' ? ACCOUNT : CODES },
    { key: key('network', email, networkOf(address)), rule: PAIR },
    { key: keyOf('address', hostOf(address)), rule: ADDRESS },
  ];
}

const keyOf = (...parts: string[]): Buffer => createHash('sha256').update(JSON.stringify(parts)).digest();

async function lockRows(db: Transaction, limits: readonly Limit[], now: number): Promise<{ row: ThrottleRow; rule: Rule }[]> {
  const rows = await store.lockRows(
    db,
    limits.map(({ key }) => key),
    new Date(now),
  );
  return limits.flatMap(({ key, rule }) => rows.filter((row) => row.key.equals(key)).map((row) => ({ row, rule })));
}

function remembered(row: ThrottleRow, rule: Rule, now: number): ThrottleRow {
  const at = new Date(now);
  return now >= rule.forgottenAt(row) ? { ...row, failures: 0, since: at, last: at, lockedUntil: NEVER, idempotencyKey: null } : row;
}

function incremented(row: ThrottleRow, rule: Rule, now: number): ThrottleRow {
  const failures = row.failures + 1;
  return { ...row, failures, last: new Date(now), lockedUntil: lockAt(now, rule.lock(failures, row, now)) };
}

function decremented(row: ThrottleRow, rule: Rule): ThrottleRow {
  const failures = Math.max(0, row.failures - 1);
  const last = row.last.getTime();
  return { ...row, failures, lockedUntil: lockAt(last, rule.lock(failures, row, last)), idempotencyKey: null };
}

const lockAt = (from: number, length: number): Date => (length > 0 ? new Date(from + length) : NEVER);
