import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Transaction } from '../../kernel/database.ts';
import * as store from './codes-store.ts';
import type { Seal } from './seal.ts';

export type Purpose = 'sign-up' | 'reset' | 'address';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How long a code is good, in milliseconds (PRODUCT §5). */
const LIFE: Readonly<Record<Purpose, number>> = { 'sign-up': 24 * HOUR, reset: 10 * MINUTE, address: 24 * HOUR };
/** So many tries are compared. */
export const MOST_TRIES = 5;
const DIGITS = 6;

/** What a code is asked for, and by which name: an address as typed, or a person who is signed in. */
export interface Named {
  readonly purpose: Purpose;
  readonly name: string;
}

/** Whom a code speaks for once it is given back. */
export interface Proved {
  readonly sub: string;
  /** With another password than the one of then, the code is worth nothing. */
  readonly credential: number;
  /** The address that it was mailed to, where it is not the person's own yet. */
  readonly address: string | null;
}

export type Redeemed = Proved | 'used' | 'expired' | 'wrong';

/** The codes that go out by mail: six digits, one live for each purpose, five tries. */
export interface Codes {
  /** Makes a code, which ends the one before. Without a person it opens nothing, and is the same work. */
  make(db: Transaction, named: Named, owner: Proved | undefined): Promise<string>;
  /** Lets a name that nobody has look like one that waits for its code: any guess is wrong. */
  simulate(db: Transaction, named: Named): Promise<void>;
  /** Tries a code, once. What it says has to be committed, whether yes or no: it counts the try. */
  redeem(db: Transaction, named: Named & { readonly code: string }): Promise<Redeemed>;
  /** The address that a code was mailed to and is waited for from. */
  pendingAddress(db: Transaction, named: Named): Promise<string | undefined>;
}

interface CodesOptions {
  readonly seal: Seal;
  readonly now: () => number;
}

export function openCodes({ seal, now }: CodesOptions): Codes {
  return {
    async make(db, named, owner) {
      const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
      const { sub = null, credential = 0, address = null } = owner ?? {};
      const key = keyOf(named);
      await store.put(db, { key, mac: macOf(key, { sub, credential, address }, code), sub, credential, address, expires: endOf(named) });
      return code;
    },
    async simulate(db, named) {
      await store.putFirst(db, simulatedRow(named));
    },
    async redeem(db, { code, ...named }) {
      const row = await store.count(db, simulatedRow(named));
      const { key, mac, sub, credential, address } = row;
      const isRight = timingSafeEqual(mac, macOf(key, row, code)) && row.tries <= MOST_TRIES;
      if (!isRight || sub === null) return row.tries > MOST_TRIES ? 'expired' : 'wrong';
      // Only who has the code in hand is told what became of it.
      if (row.used) return 'used';
      if (row.expires.getTime() <= now()) return 'expired';
      await store.markUsed(db, key);
      return { sub, credential, address };
    },
    async pendingAddress(db, named) {
      const row = await store.byKey(db, keyOf(named));
      return row && !row.used && row.expires.getTime() > now() ? (row.address ?? undefined) : undefined;
    },
  };

  function simulatedRow(named: Named): store.NewCode {
    return { key: keyOf(named), mac: randomBytes(MAC), expires: endOf(named) };
  }

  function endOf({ purpose }: Named): Date {
    return new Date(now() + LIFE[purpose]);
  }

  function macOf(key: Buffer, { sub, credential, address }: { [Part in keyof Proved]: Proved[Part] | null }, code: string): Buffer {
    return seal.mac(JSON.stringify([key.toString('base64'), sub, credential, address, code]));
  }
}

/** Bytes of an HMAC with SHA-256. */
const MAC = 32;

const keyOf = ({ purpose, name }: Named): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([purpose, name]))
    .digest();
