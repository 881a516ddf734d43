import { newIdempotencyKey } from '#contract/core/ids.ts';

/** Returns a new idempotency key. */
export const newKey = (): string => newIdempotencyKey((size) => crypto.getRandomValues(new Uint8Array(size)));
