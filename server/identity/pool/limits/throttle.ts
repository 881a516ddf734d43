import { DAY, HOUR } from '#contract/core/time.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { hostOf, networkOf } from '../../../platform/http/network.ts';
import { sha256 } from '../../../platform/sha256.ts';
import { PoolError, passwordAttemptsExceeded, resetRequired, tooManyAttempts } from '../errors.ts';
import type { ThrottleLimit, ThrottleRule } from './throttle-store.ts';
import * as store from './throttle-store.ts';

/* Limits for guesses at passwords and codes, and for requests. Times in ms. */

const SECOND = 1_000;
const QUARTER = 15 * 60_000;

/** After some free guesses, each failure locks for twice as long as the previous one, from a second to 15 minutes. */
const doubling = ({ free, quiet }: { free: number; quiet: number }): ThrottleRule => ({
  lockout: (failures) => (failures < free ? 0 : Math.min(SECOND * 2 ** (failures - free), QUARTER)),
  resetsAt: ({ last, lockedUntil }) => Math.max(last.getTime(), lockedUntil.getTime()) + quiet,
  refusal: passwordAttemptsExceeded,
});

/** Allows `count` calls within a time that begins with the first one, and at least `wait` apart. */
const most = (count: number, { within, wait = 0 }: { within: number; wait?: number }): ThrottleRule => ({
  lockout: (counted, { since }, now) => (counted < count ? wait : since.getTime() + within - now),
  resetsAt: ({ since }) => since.getTime() + within,
  refusal: tooManyAttempts,
});

/**
 * Guesses at one account from one network, or from one known browser of its owner. Then each failure locks for twice as long, up to 15
 * minutes.
 * @limit guesses
 */
const PAIR = doubling({ free: 5, quiet: QUARTER });
/** How long failures are stored after the last one and after its lock (ms). @limit account-guesses */
export const FAILURE_RETENTION = 30 * DAY;
/**
 * Guesses at one account from all networks together, as NIST SP 800-63B, 5.2.2 requires. After that an unknown browser needs a
 * password reset and gets Cognito's answer for that, whether or not the account exists.
 * @limit account-guesses
 */
const ACCOUNT_MOST = 100;

const ACCOUNT: ThrottleRule = {
  lockout: (failures) => (failures < ACCOUNT_MOST ? 0 : 365 * DAY),
  resetsAt: ({ last, lockedUntil }) => Math.max(last.getTime() + FAILURE_RETENTION, lockedUntil.getTime()),
  refusal: resetRequired,
};
/** Guesses at one account's one-time passwords: the caller already has the password, so a reset wouldn't help. @limit one-time-guesses */
const CODES = doubling({ free: 20, quiet: DAY });
/** Guesses from one address at any account. @limit address-guesses */
const ADDRESS = most(30, { within: QUARTER });

/** Requests for one person, per network where strangers can make them. The numbers are Cognito's. @limit hourly */
const HOURLY = {
  ConfirmSignUp: most(15, { within: HOUR }),
  ResendConfirmationCode: most(5, { within: HOUR, wait: 30 * SECOND }),
  /** Mails with a code to one address, for all its sign-ups. */
  SignUpCode: most(20, { within: HOUR }),
  ForgotPassword: most(5, { within: HOUR, wait: 30 * SECOND }),
  ConfirmForgotPassword: most(15, { within: HOUR }),
  ConfirmByLink: most(60, { within: HOUR }),
  /** Six-digit reset codes; beyond this the mail only has the link, which can't be guessed. */
  ResetCode: most(20, { within: FAILURE_RETENTION }),
  ChangePassword: most(5, { within: HOUR }),
  GetUserAttributeVerificationCode: most(5, { within: HOUR, wait: 30 * SECOND }),
  UpdateEmail: most(5, { within: HOUR }),
  VerifyUserAttribute: most(15, { within: HOUR }),
  VerifySoftwareToken: most(15, { within: HOUR }),
  /** Mails to the owner of an address that others try to sign up with. */
  AddressTaken: most(2, { within: HOUR }),
} as const;
/** Mails to one person, requested from all networks together. @limit mailed */
const MAILED = most(20, { within: HOUR, wait: 30 * SECOND });
const MAILS: ReadonlySet<keyof typeof HOURLY> = new Set(['ResendConfirmationCode', 'ForgotPassword']);
/** Requests from one address, for anyone. @limit hourly */
const HOURLY_FROM_ADDRESS = most(60, { within: HOUR });

/** A password, or a one-time password, that is about to be tried. */
interface Guess {
  readonly kind: 'password' | 'code';
  /** As typed, lowercase; may be unknown. */
  readonly email: string;
  readonly address: string;
  /** A known browser of this person, which strangers' failures don't affect. */
  readonly device: string | undefined;
  readonly idempotencyKey: Buffer | undefined;
}

/** A guess that counts as a failure until it proves right. */
export interface CountedGuess {
  readonly limits: readonly ThrottleLimit[];
  readonly isRepeated: boolean;
}

/** Counts a guess before it is checked; throws the client's answer while there is a lock. */
export async function countGuess(db: Transaction, guess: Guess, now: number): Promise<CountedGuess> {
  const limits = limitsOf(guess);
  return { limits, isRepeated: await store.count(db, { limits, idempotencyKey: guess.idempotencyKey }, now) };
}

/** Clears the person's failures after a right guess. The address only has this guess reverted, since anyone can sign in to their own account. */
export const clearGuesses = (db: Transaction, { limits }: CountedGuess, now: number): Promise<void> => store.clear(db, limits, now);

/** Reverts the count of a guess that was not checked after all. */
export async function undoGuess(db: Transaction, { limits, isRepeated }: CountedGuess, now: number): Promise<void> {
  if (!isRepeated) await store.undo(db, limits, now);
}

/** Clears the failures of an account, and those of the caller's network, after a reset by mail. */
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
  readonly kind: keyof typeof HOURLY;
  /** An address as typed, lowercase, or a person's id in the pool; may be unknown. */
  readonly subject: string;
  /** The caller's network address, if strangers can make the request. */
  readonly address?: string | undefined;
  readonly idempotencyKey?: Buffer | undefined;
}

/** Counts a request; throws `LimitExceededException` above the limit. `isRepeated` marks a retry, whose work is already done. */
export async function countRequest(
  db: Transaction,
  { kind, subject, address, idempotencyKey }: LimitedRequest,
  now: number,
): Promise<{ readonly isRepeated: boolean }> {
  const from = address === undefined ? [] : [networkOf(address)];
  const perPerson: ThrottleLimit = { key: keyOf('hourly', kind, subject, ...from), rule: HOURLY[kind], scope: 'caller' };
  const mails: ThrottleLimit[] = MAILS.has(kind) ? [{ key: keyOf('mailed', kind, subject), rule: MAILED, scope: 'account' }] : [];
  const perAddress = (from: string): ThrottleLimit => ({
    key: keyOf('hourly from', hostOf(from)),
    rule: HOURLY_FROM_ADDRESS,
    scope: 'address',
  });
  const limits = [perPerson, ...mails, ...(address === undefined ? [] : [perAddress(address)])];
  return { isRepeated: await store.count(db, { limits, idempotencyKey }, now) };
}

/** Counts a request; returns false above the limit, for requests whose caller must not notice. */
export async function isWithinLimit(db: Transaction, request: LimitedRequest, now: number): Promise<boolean> {
  try {
    await countRequest(db, request, now);
    return true;
  } catch (error) {
    if (error instanceof PoolError) return false;
    throw error;
  }
}

const keyOf = (...parts: string[]): Buffer => sha256(JSON.stringify(parts));
