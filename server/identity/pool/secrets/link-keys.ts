import { randomBytes } from 'node:crypto';

/** Random bytes of the key in a mailed link, which is stored as a hash. Guesses at it need no limit. @limit mailed-keys */
const KEY_BYTES = 16;

/** Returns the key for a mailed link. It can't be guessed, so its tries need no limit and its plain hash can be stored. */
export const newLinkKey = (): string => randomBytes(KEY_BYTES).toString('base64url');
