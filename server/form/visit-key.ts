import { timingSafeEqual } from 'node:crypto';
import type { Secret } from '../platform/secret.ts';
import { sha256 } from '../platform/sha256.ts';

/** Characters of each half of a key, of 6 bits each. */
const HALF = 22;

export type VisitKeys = ReturnType<typeof openVisitKeys>;

/**
 * Keys of future answers, in links that we mail. The second half signs the first, so that only we can create a key: with one of their
 * choice, a stranger could read what a visitor answers.
 */
export function openVisitKeys(secret: Secret) {
  const mac = secret.mac('visit keys');
  const half = (text: string): string => mac(text).toString('base64url').slice(0, HALF);
  const signature = (formId: string, name: string): string => half(`signature ${formId} ${name}`);
  return {
    /** Returns the key of the answer of one recipient; the same for the same form and recipient. */
    of(formId: string, recipient: string): string {
      const name = half(`name ${formId} ${recipient}`);
      return name + signature(formId, name);
    },
    isValid: (formId: string, key: string): boolean =>
      key.length === 2 * HALF && timingSafeEqual(sha256(key.slice(HALF)), sha256(signature(formId, key.slice(0, HALF)))),
  };
}
