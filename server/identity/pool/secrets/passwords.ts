import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import type { FastifyBaseLogger } from 'fastify';
import { refusal } from '#contract/core/errors.ts';
import { createLimiter } from '../../../platform/tenancy/limiter.ts';
import { PoolError, tooManyRequests } from '../errors.ts';
import { requireStrong } from './password-policy.ts';

/**
 * OWASP's first choice for argon2id, which is the library's default kind: 19 MiB (here in KiB), two passes, one lane.
 * @limit password-hash
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** The most hashes at once, because each takes a processor. @limit hashes */
const MOST_AT_ONCE = 4;
/** Half of the processors, so that guesses can't slow down all other requests. */
export const HASHES_AT_ONCE = Math.max(1, Math.min(MOST_AT_ONCE, Math.floor(availableParallelism() / 2)));
/** Hashes that wait. @limit hashes */
const MOST_WAITING = 100;

/** Hashes and checks passwords, a few at a time, because each takes memory and a whole processor. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a stored hash, takes as long and returns false, so that the time doesn't reveal who has an account. */
  isRight(password: string, stored: string | undefined): Promise<boolean>;
}

/** Opens the hasher; its functions throw `TooManyRequestsException` if too many calls are waiting. */
export async function openPasswords(log: FastifyBaseLogger): Promise<Passwords> {
  let isReported = false;
  const limiter = createLimiter({ atOnce: HASHES_AT_ONCE, waiting: MOST_WAITING, full: tooManyRequests });
  const dummyHash = await hash(randomBytes(16), COST);
  return {
    hash: (password) => limiter.run(() => hash(password, COST)),
    isRight: (password, stored) =>
      limiter.run(async () => {
        if (stored === undefined || isCheckable(stored)) return (await verify(stored ?? dummyHash, password)) && stored !== undefined;
        if (!isReported) log.error('a stored password hash is unreadable or too expensive, so its password counts as wrong');
        isReported = true;
        await verify(dummyHash, password);
        return false;
      }),
  };
}

/** Returns false for a hash that would take more time or memory than ours: such a hash in the database could stop every sign-in. */
function isCheckable(stored: string): boolean {
  try {
    const { memoryCost, timeCost, parallelism } = parseOptions(stored);
    return memoryCost <= COST.memoryCost && timeCost <= COST.timeCost && parallelism <= COST.parallelism;
  } catch {
    return false;
  }
}

/** Hashes a new password from the data API; throws the API's own refusals of a weak password and a full queue. */
export async function hashNew(passwords: Passwords, password: string, personal: readonly string[]): Promise<string> {
  requireStrong(password, personal);
  return passwords.hash(password).catch(refuseOverloaded);
}

/** Returns whether a password from the data API matches the stored hash. */
export const matchesStored = (passwords: Passwords, password: string, stored: string): Promise<boolean> =>
  passwords.isRight(password, stored).catch(refuseOverloaded);

function refuseOverloaded(error: unknown): never {
  throw error instanceof PoolError ? refusal('overloaded', { retryAfter: error.retryAfter }) : error;
}

/** Returns whether a hash was made at a lower cost than today's. */
export function isWeak(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(stored);
  return !stored.startsWith('$argon2id$') || memoryCost < COST.memoryCost || timeCost < COST.timeCost || parallelism < COST.parallelism;
}
