import { createHash } from 'node:crypto';

/** Returns the SHA-256 of a text. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
