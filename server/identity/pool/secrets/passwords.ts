import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import type { FastifyBaseLogger } from 'fastify';
import { refusal } from '#contract/core/errors.ts';
import { createLimiter } from '../../../platform/tenancy/limiter.ts';
import { PoolError, tooManyRequests } from '../errors.ts';
import { requireStrong } from './password-policy.ts';

/** OWASP's first choice for argon2id, which is the library's default kind: 19 MiB (here in KiB), two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const MOST_AT_ONCE = 4;
/** Half of the processors: whoever guesses keeps no more than those busy, and everybody else is answered by the others. */
export const HASHES_AT_ONCE = Math.max(1, Math.min(MOST_AT_ONCE, Math.floor(availableParallelism() / 2)));
const MOST_WAITING = 100;

/** Hashes and checks passwords, a few at a time: each takes memory and a processor for itself. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a stored hash it takes as long and says no, so that nobody learns who is known here. */
  isRight(password: string, stored: string | undefined): Promise<boolean>;
}

/** Where too many wait already, both refuse with `TooManyRequestsException`. */
export async function openPasswords(log: FastifyBaseLogger): Promise<Passwords> {
  let isReported = false;
  const limiter = createLimiter({ atOnce: HASHES_AT_ONCE, waiting: MOST_WAITING, full: tooManyRequests });
  const dummyHash = await hash(randomBytes(16), COST);
  return {
    hash: (password) => limiter.run(() => hash(password, COST)),
    isRight: (password, stored) =>
      limiter.run(async () => {
        if (stored === undefined || isCheckable(stored)) return (await verify(stored ?? dummyHash, password)) && stored !== undefined;
        if (!isReported) log.error('a stored password hash is unreadable or costs more than ours: it counts as a wrong password');
        isReported = true;
        await verify(dummyHash, password);
        return false;
      }),
  };
}

/** False for a hash that would take more time or memory than ours: whoever writes one into the database could stop every sign-in. */
function isCheckable(stored: string): boolean {
  try {
    const { memoryCost, timeCost, parallelism } = parseOptions(stored);
    return memoryCost <= COST.memoryCost && timeCost <= COST.timeCost && parallelism <= COST.parallelism;
  } catch {
    return false;
  }
}

/** Hashes a new password that came by the data API, which refuses the field where it is weak, and has a word of its own for a full queue. */
export async function hashNew(passwords: Passwords, password: string, personal: readonly string[]): Promise<string> {
  requireStrong(password, personal);
  return passwords.hash(password).catch(refuseOverloaded);
}

/** Whether a password that came by the data API is the one that is stored. */
export const isRightNow = (passwords: Passwords, password: string, stored: string): Promise<boolean> =>
  passwords.isRight(password, stored).catch(refuseOverloaded);

function refuseOverloaded(error: unknown): never {
  throw error instanceof PoolError ? refusal('overloaded', { retryAfter: error.retryAfter }) : error;
}

/** Whether a hash was made with less than is asked for today. */
export function isWeak(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(stored);
  return !stored.startsWith('$argon2id$') || memoryCost < COST.memoryCost || timeCost < COST.timeCost || parallelism < COST.parallelism;
}
