import { createHash } from 'node:crypto';
import { DAY, HOUR } from '#contract/core/time.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { hostOf, networkOf } from '../../../platform/http/network.ts';
import { PoolError, passwordAttemptsExceeded, resetRequired, tooManyAttempts } from '../errors.ts';
import type { ThrottleLimit, ThrottleRule } from './throttle-store.ts';
import * as store from './throttle-store.ts';

/* How many passwords and codes may be guessed, and how often things may be asked for. Times in milliseconds. */

const SECOND = 1_000;
const QUARTER = 15 * 60_000;

/** Some guesses are free; then each failure locks for twice as long as the one before, from a second to a quarter of an hour. */
const doubling = ({ free, quiet }: { free: number; quiet: number }): ThrottleRule => ({
  lockout: (failures) => (failures < free ? 0 : Math.min(SECOND * 2 ** (failures - free), QUARTER)),
  forgottenAt: ({ last, lockedUntil }) => Math.max(last.getTime(), lockedUntil.getTime()) + quiet,
  refusal: passwordAttemptsExceeded,
});

/** So many within the time that begins with the first; `wait` is the least between two. */
const most = (count: number, { within, wait = 0 }: { within: number; wait?: number }): ThrottleRule => ({
  lockout: (counted, { since }, now) => (counted < count ? wait : since.getTime() + within - now),
  forgottenAt: ({ since }) => since.getTime() + within,
  refusal: tooManyAttempts,
});

/** One person's account from one network, or from one browser that is known to be that person's. */
const PAIR = doubling({ free: 5, quiet: QUARTER });
/** How long failures are kept at most after the last one and after its lock. */
export const LONGEST_MEMORY = 30 * DAY;
const ACCOUNT_MOST = 100;
/**
 * One account from wherever it may be: many networks together guess a hundred times at most, as NIST SP 800-63B, 5.2.2
 * asks for. Then a browser that is not known comes in by a reset only, and gets the answer that Cognito has for that,
 * whether or not the account exists.
 */
const ACCOUNT: ThrottleRule = {
  lockout: (failures) => (failures < ACCOUNT_MOST ? 0 : 365 * DAY),
  forgottenAt: ({ last, lockedUntil }) => Math.max(last.getTime() + LONGEST_MEMORY, lockedUntil.getTime()),
  refusal: resetRequired,
};
/** One-time passwords on one account: whoever guesses at them has the password already, and a reset would not help. */
const CODES = doubling({ free: 20, quiet: DAY });
/** One address, whosever account it tries. */
const ADDRESS = most(30, { within: QUARTER });

/** What may be asked for one person in an hour: from one network where strangers can ask, too. The numbers are Cognito's. */
const HOURLY = {
  ConfirmSignUp: most(15, { within: HOUR }),
  ResendConfirmationCode: most(5, { within: HOUR, wait: 30 * SECOND }),
  /** Mails with a code to one address, whichever sign-up asks for them. */
  SignUpCode: most(20, { within: HOUR }),
  ForgotPassword: most(5, { within: HOUR, wait: 30 * SECOND }),
  ConfirmForgotPassword: most(15, { within: HOUR }),
  ConfirmByLink: most(60, { within: HOUR }),
  /** Reset codes of six digits; beyond them the mail has the link only, which nobody guesses. */
  ResetCode: most(20, { within: LONGEST_MEMORY }),
  ChangePassword: most(5, { within: HOUR }),
  GetUserAttributeVerificationCode: most(5, { within: HOUR, wait: 30 * SECOND }),
  UpdateEmail: most(5, { within: HOUR }),
  VerifyUserAttribute: most(15, { within: HOUR }),
  VerifySoftwareToken: most(15, { within: HOUR }),
  /** Mails to somebody whose address others try to sign up with. */
  AddressTaken: most(2, { within: HOUR }),
} as const;
/** Mails that all networks together may have sent to one person. */
const MAILED = most(20, { within: HOUR, wait: 30 * SECOND });
const MAILS: ReadonlySet<keyof typeof HOURLY> = new Set(['ResendConfirmationCode', 'ForgotPassword']);
/** What one address may ask for in an hour, whoever it names. */
const HOURLY_FROM_ADDRESS = most(60, { within: HOUR });

/** A password, or a one-time password, that is about to be tried. */
interface Guess {
  readonly kind: 'password' | 'code';
  /** As typed, in lower case; whether somebody has it makes no difference. */
  readonly email: string;
  readonly address: string;
  /** A browser that is known to be this person's: the failures of strangers do not count against it. */
  readonly device: string | undefined;
  readonly idempotencyKey: Buffer | undefined;
}

/** A guess that was counted as a failure, until it turns out to be none. */
export interface CountedGuess {
  readonly limits: readonly ThrottleLimit[];
  readonly isRepeated: boolean;
}

/** Counts a guess before it is tried; throws what the client is answered while there is a lock. */
export async function countGuess(db: Transaction, guess: Guess, now: number): Promise<CountedGuess> {
  const limits = limitsOf(guess);
  return { limits, isRepeated: await store.count(db, { limits, idempotencyKey: guess.idempotencyKey }, now) };
}

/** The guess was right: the person's failures are cleared. The address only has this one taken off, as anybody can sign in to an account of their own. */
export const clearGuesses = (db: Transaction, { limits }: CountedGuess, now: number): Promise<void> => store.clear(db, limits, now);

/** Takes off the failure that a guess was counted as, which was not tried after all. */
export async function undoGuess(db: Transaction, { limits, isRepeated }: CountedGuess, now: number): Promise<void> {
  if (!isRepeated) await store.undo(db, limits, now);
}

/** After a reset by mail nothing counts against the account, nor against whoever did it. */
export async function clearAccount(db: Transaction, { email, address }: Pick<Guess, 'email' | 'address'>): Promise<void> {
  await store.remove(db, [keyOf('account', email), keyOf('network', email, networkOf(address)), keyOf('hourly', 'ResetCode', email)]);
}

function limitsOf({ kind, email, address, device }: Guess): ThrottleLimit[] {
  const key = (...parts: string[]) => (kind === 'password' ? keyOf(...parts) : keyOf(kind, ...parts));
  if (device !== undefined) return [{ key: key('device', email, device), rule: PAIR, scope: 'caller' }];
  return [
    { key: key('account', email), rule: kind === 'password' ? ACCOUNT : CODES, scope: 'account' },
    { key: key('network', email, networkOf(address)), rule: PAIR, scope: 'caller' },
    { key: keyOf('address', hostOf(address)), rule: ADDRESS, scope: 'address' },
  ];
}

interface LimitedRequest {
  readonly what: keyof typeof HOURLY;
  /** An address as typed, in lower case, or a person's id in the pool; whether somebody has it makes no difference. */
  readonly who: string;
  /** Where from, where strangers can ask. */
  readonly address?: string | undefined;
  readonly idempotencyKey?: Buffer | undefined;
}

/** Counts what somebody asks for; throws `LimitExceededException` where it is too much. A repetition is not to be done again. */
export async function countRequest(
  db: Transaction,
  { what, who, address, idempotencyKey }: LimitedRequest,
  now: number,
): Promise<{ readonly isRepeated: boolean }> {
  const from = address === undefined ? [] : [networkOf(address)];
  const own: ThrottleLimit = { key: keyOf('hourly', what, who, ...from), rule: HOURLY[what], scope: 'caller' };
  const together: ThrottleLimit[] = MAILS.has(what) ? [{ key: keyOf('mailed', what, who), rule: MAILED, scope: 'account' }] : [];
  const shared = (from: string): ThrottleLimit => ({
    key: keyOf('hourly from', hostOf(from)),
    rule: HOURLY_FROM_ADDRESS,
    scope: 'address',
  });
  const limits = [own, ...together, ...(address === undefined ? [] : [shared(address)])];
  return { isRepeated: await store.count(db, { limits, idempotencyKey }, now) };
}

/** The same, where being too much changes nothing for whoever asks. */
export async function isWithinLimit(db: Transaction, request: LimitedRequest, now: number): Promise<boolean> {
  try {
    await countRequest(db, request, now);
    return true;
  } catch (error) {
    if (error instanceof PoolError) return false;
    throw error;
  }
}

const keyOf = (...parts: string[]): Buffer => createHash('sha256').update(JSON.stringify(parts)).digest();
