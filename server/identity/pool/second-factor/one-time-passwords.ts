import { Secret, TOTP } from 'otpauth';
import type { Transaction } from '../../../platform/database/database.ts';
import type { Seal } from '../secrets/seal.ts';
import type { TotpRow } from './second-factor-store.ts';
import * as store from './second-factor-store.ts';

/** The parameters that every app supports: six digits, thirty seconds, SHA-1 (RFC 6238). */
const PERIOD = 30;
const FORM = { algorithm: 'SHA1', digits: 6, period: PERIOD } as const;
/** Steps accepted before and after the current one, because clocks differ and people type slowly. @limit second-factor */
const WINDOW = 1;
const SECRET_BYTES = 20;

/** One-time passwords from an authenticator app. */
export interface OneTimePasswords {
  /** Creates a secret and returns it in base 32, this once; returns undefined if one is enabled. */
  begin(db: Transaction, sub: string): Promise<string | undefined>;
  /** Checks a password against a person's secret. Each is right only once: its step is marked as used in this transaction. */
  check(db: Transaction, row: TotpRow, code: string): Promise<'right' | 'used' | 'wrong'>;
}

interface TotpsOptions {
  readonly seal: Seal;
  readonly now: () => number;
}

export function openTotps({ seal, now }: TotpsOptions): OneTimePasswords {
  return {
    async begin(db, sub) {
      const { base32 } = new Secret({ size: SECRET_BYTES });
      return (await store.putTotp(db, { sub, secret: seal.encrypt(base32, contextOf(sub)) })) ? base32 : undefined;
    },
    async check(db, { sub, secret }, code) {
      const base32 = seal.decrypt(secret, contextOf(sub));
      if (base32 === undefined)
        throw new Error('A second factor was encrypted with a different secret. Restore identity.secret or IDENTITY_SECRET.');
      const timestamp = now();
      const delta = new TOTP({ ...FORM, secret: Secret.fromBase32(base32) }).validate({ token: code, timestamp, window: WINDOW });
      if (delta === null) return 'wrong';
      return (await store.claimStep(db, sub, Math.floor(timestamp / 1000 / PERIOD) + delta)) ? 'right' : 'used';
    },
  };
}

const contextOf = (sub: string): string => `second factor of ${sub}`;
