import { createHash, randomBytes } from 'node:crypto';

/** 128 bits. */
const KEY_BYTES = 16;

/** The key of a mailed link. Nobody guesses it, so its tries need no count, and its plain hash can be kept. */
export const newLinkKey = (): string => randomBytes(KEY_BYTES).toString('base64url');

export const hashOfKey = (key: string): Buffer => createHash('sha256').update(key).digest();
