import { randomBytes, randomFillSync } from 'node:crypto';
import type { RandomBytes } from '#contract/core/ids.ts';

/** Bytes that are requested from the system at once, because each request costs more than an id needs. */
const BLOCK = 4_096;

/** Returns a source of random bytes, each of which is returned only once. */
export function openRandom(): RandomBytes {
  const block = Buffer.alloc(BLOCK);
  let used = BLOCK;
  return (size) => {
    if (size > BLOCK) return randomBytes(size);
    if (used + size > BLOCK) {
      randomFillSync(block);
      used = 0;
    }
    used += size;
    // A copy, because the block is filled again.
    return Buffer.from(block.subarray(used - size, used));
  };
}
