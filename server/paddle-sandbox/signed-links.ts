import { createHmac, timingSafeEqual } from 'node:crypto';

/** Addresses that open for an hour, for whoever has them. */
export interface SignedLinks {
  /** The path with a signature behind it. */
  sign(path: string): string;
  /** Whether a path was signed less than an hour ago. `query` is what stands behind it. */
  isGood(path: string, query: SignedQuery): boolean;
}

export interface SignedQuery {
  readonly expires?: string;
  readonly signature?: string;
}

const HOUR = 3_600_000;

export function openSignedLinks({ secret, now }: { readonly secret: string; readonly now: () => number }): SignedLinks {
  const signatureOf = (path: string, expires: string): string =>
    createHmac('sha256', secret).update(`${path}\n${expires}`).digest('base64url');
  return {
    sign(path) {
      const expires = String(Math.floor(now()) + HOUR);
      return `${path}?expires=${expires}&signature=${signatureOf(path, expires)}`;
    },
    isGood(path, { expires = '', signature = '' }) {
      const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(path, expires))];
      return given.length === right.length && timingSafeEqual(given, right) && Number(expires) > now();
    },
  };
}
