import { Secret, TOTP } from 'otpauth';
import type { Transaction } from '../../../platform/database/database.ts';
import type { Seal } from '../secrets/seal.ts';
import type { TotpRow } from './second-factor-store.ts';
import * as store from './second-factor-store.ts';

/** What every app understands: six digits, thirty seconds, SHA-1 (RFC 6238). */
const PERIOD = 30;
const FORM = { algorithm: 'SHA1', digits: 6, period: PERIOD } as const;
/** Steps before and after the present one that are accepted: clocks differ, and people type slowly. */
const WINDOW = 1;
const SECRET_BYTES = 20;

/** One-time passwords out of an app on somebody's phone. */
export interface Totps {
  /** Makes a secret and gives it out, this once, in base 32. Undefined where one is in use. */
  begin(db: Transaction, sub: string): Promise<string | undefined>;
  /** Checks a password against a person's secret. Each is right once; its step is used up in this transaction. */
  check(db: Transaction, row: TotpRow, code: string): Promise<'right' | 'used' | 'wrong'>;
}

interface TotpsOptions {
  readonly seal: Seal;
  readonly now: () => number;
}

export function openTotps({ seal, now }: TotpsOptions): Totps {
  return {
    async begin(db, sub) {
      const { base32 } = new Secret({ size: SECRET_BYTES });
      return (await store.putTotp(db, { sub, secret: seal.encrypt(base32, contextOf(sub)) })) ? base32 : undefined;
    },
    async check(db, { sub, secret }, code) {
      const opened = seal.decrypt(secret, contextOf(sub));
      if (opened === undefined)
        throw new Error('A second factor was encrypted with a different secret. Restore identity.secret or IDENTITY_SECRET.');
      const at = now();
      const off = new TOTP({ ...FORM, secret: Secret.fromBase32(opened) }).validate({ token: code, timestamp: at, window: WINDOW });
      if (off === null) return 'wrong';
      return (await store.claimStep(db, sub, Math.floor(at / 1000 / PERIOD) + off)) ? 'right' : 'used';
    },
  };
}

const contextOf = (sub: string): string => `second factor of ${sub}`;
