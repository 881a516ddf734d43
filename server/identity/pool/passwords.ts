import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { tooManyRequests } from './errors.ts';
import { createLimiter } from './queue.ts';

/** OWASP's first choice for argon2id, which is the library's default kind: KiB, passes, lanes (R26). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const AT_ONCE = 4;
const WAITING = 50;

/** Hashes and checks passwords, a few at a time: each takes memory and a processor for itself. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a hash it takes as long and says no, so that nobody learns who is known here. */
  isRight(password: string, stored: string | undefined): Promise<boolean>;
}

/** A queue that is full refuses with `TooManyRequestsException`. */
export async function openPasswords(): Promise<Passwords> {
  const limiter = createLimiter({ atOnce: AT_ONCE, waiting: WAITING, full: tooManyRequests });
  const dummyHash = await hash(randomBytes(16), COST);
  return {
    hash: (password) => limiter.run(() => hash(password, COST)),
    isRight: (password, stored) =>
      limiter.run(async () => {
        const isSame = await verify(stored ?? dummyHash, password);
        return isSame && stored !== undefined;
      }),
  };
}

/** Whether a hash was made with less than is asked for today. */
export function isWeak(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(stored);
  return !stored.startsWith('$argon2id$') || memoryCost < COST.memoryCost || timeCost < COST.timeCost || parallelism < COST.parallelism;
}
