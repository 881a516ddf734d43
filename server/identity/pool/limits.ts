import { createHash } from 'node:crypto';
import type { Transaction } from '../../kernel/database.ts';
import { PoolError, tooManyAttempts } from './errors.ts';
import { hostOf } from './network.ts';
import * as store from './throttle-store.ts';
import { NEVER, type ThrottleRow } from './throttle-store.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;

/** How often an hour one person may do it, as Cognito has it (identity.md §5), and how long the next one has to wait (ms). */
const LIMITS = {
  ConfirmSignUp: { most: 15, wait: 0 },
  ResendConfirmationCode: { most: 5, wait: 30 * SECOND },
  ForgotPassword: { most: 5, wait: 30 * SECOND },
  ConfirmForgotPassword: { most: 15, wait: 0 },
  ChangePassword: { most: 5, wait: 0 },
  GetUserAttributeVerificationCode: { most: 5, wait: 30 * SECOND },
  UpdateEmail: { most: 5, wait: 0 },
  VerifyUserAttribute: { most: 15, wait: 0 },
  VerifySoftwareToken: { most: 15, wait: 0 },
  /** Mails to somebody whose address others try to sign up with. */
  AddressTaken: { most: 2, wait: 0 },
} as const;

type Limited = keyof typeof LIMITS;

/** How often an hour one address may do any of it, whoever it names. */
const MOST_FROM_ADDRESS = 60;

export interface LimitedRequest {
  readonly what: Limited;
  /** An address as typed, in lower case, or a person's name in the pool; whether somebody has it makes no difference. */
  readonly who: string;
  /** Where from, where strangers can do it. */
  readonly address?: string | undefined;
  /** The same for a call of the client and its repetitions, so that these count once. */
  readonly idempotencyKey?: Buffer | undefined;
}

/** What counting gave: a repetition of a call is not to be done again. */
export interface CountedRequest {
  readonly isRepeated: boolean;
}

/** Counts what somebody asks for; throws `LimitExceededException` where it is too much. What is refused does not count. */
export async function countRequest(db: Transaction, request: LimitedRequest, now: number): Promise<CountedRequest> {
  const { address, idempotencyKey } = request;
  const { most, wait } = LIMITS[request.what];
  const own = keyOf('hourly', request.what, request.who);
  const shared = address === undefined ? undefined : keyOf('hourly from', hostOf(address));
  const locked = await store.lockRows(db, shared ? [own, shared] : [own], new Date(now));
  const rows = locked.map((row) => ({ row: lasting(row, now), isOwn: row.key.equals(own) }));
  const isRepeated =
    idempotencyKey !== undefined && rows.some(({ row, isOwn }) => isOwn && row.idempotencyKey?.equals(idempotencyKey) === true);
  if (isRepeated) return { isRepeated };
  const isFull = ({ row, isOwn }: (typeof rows)[number]) =>
    row.failures >= (isOwn ? most : MOST_FROM_ADDRESS) || row.lockedUntil.getTime() > now;
  if (rows.some(isFull)) throw tooManyAttempts();
  await store.save(
    db,
    rows.map(({ row, isOwn }) => ({
      ...row,
      failures: row.failures + 1,
      last: new Date(now),
      lockedUntil: isOwn && wait > 0 ? new Date(now + wait) : NEVER,
      idempotencyKey: idempotencyKey ?? null,
    })),
  );
  return { isRepeated };
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

function lasting(row: ThrottleRow, now: number): ThrottleRow {
  const at = new Date(now);
  return now >= row.since.getTime() + HOUR ? { ...row, failures: 0, since: at, lockedUntil: NEVER, idempotencyKey: null } : row;
}

const keyOf = (...parts: string[]): Buffer => createHash('sha256').update(JSON.stringify(parts)).digest();
