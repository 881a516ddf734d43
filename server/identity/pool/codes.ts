import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Transaction } from '../../kernel/database.ts';
import * as store from './codes-store.ts';
import type { Seal } from './seal.ts';

type CodePurpose = 'sign-up' | 'reset' | 'address';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How long a code is good (ms): a day for addresses, ten minutes for a new password. */
const LIFE: Readonly<Record<CodePurpose, number>> = { 'sign-up': 24 * HOUR, reset: 10 * MINUTE, address: 24 * HOUR };
/** So many tries are compared; a code is dead after them. */
const MOST_TRIES = 5;
const DIGITS = 6;
/** Bytes of an HMAC with SHA-256. */
const MAC = 32;

/** Where one code at most is live: what it is for, and for whom. */
export interface CodeSlot {
  readonly purpose: CodePurpose;
  /** An address as typed, or the id of somebody who is signed in. */
  readonly name: string;
}

/** What a code is good for once it is given back. */
export interface CodeGrant {
  readonly sub: string;
  /** Which of the person's passwords was theirs then: with another one the code is worth nothing. */
  readonly credential: number;
  /** The address that the code was mailed to, where it is not the person's own yet. */
  readonly address: string | null;
}

type RedeemOutcome = CodeGrant | 'used' | 'expired' | 'wrong';

/** The codes that go out by mail: six digits, one live for each purpose and person, five tries. */
export interface Codes {
  /** Makes a code, which ends the one before. Without a grant it opens nothing, and is the same work. */
  make(db: Transaction, slot: CodeSlot, grant: CodeGrant | undefined): Promise<string>;
  /** Lets a name that nobody has look like one that waits for its code: any guess is wrong. */
  simulate(db: Transaction, slot: CodeSlot): Promise<void>;
  /** Tries a code, once. The transaction has to be committed whatever the outcome: it counts the try. */
  redeem(db: Transaction, tried: CodeSlot & { readonly code: string }): Promise<RedeemOutcome>;
  /** The address that a live code was mailed to. */
  pendingAddress(db: Transaction, slot: CodeSlot): Promise<string | undefined>;
}

interface CodesOptions {
  readonly seal: Seal;
  readonly now: () => number;
}

export function openCodes({ seal, now }: CodesOptions): Codes {
  return {
    async make(db, slot, grant) {
      const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
      const { sub = null, credential = 0, address = null } = grant ?? {};
      const key = keyOf(slot);
      const mac = macOf(seal, { key, sub, credential, address }, code);
      await store.put(db, { key, mac, sub, credential, address, expires: endOf(slot, now()) });
      return code;
    },
    async simulate(db, slot) {
      await store.putFirst(db, simulatedRow(slot, now()));
    },
    async redeem(db, { code, ...slot }) {
      const row = await store.countTry(db, simulatedRow(slot, now()));
      const { key, sub, credential, address } = row;
      const isRight = timingSafeEqual(row.mac, macOf(seal, row, code)) && row.tries <= MOST_TRIES;
      if (!isRight || sub === null) return row.tries > MOST_TRIES ? 'expired' : 'wrong';
      // Only whoever has the right code learns what became of it.
      if (row.used) return 'used';
      if (row.expires.getTime() <= now()) return 'expired';
      await store.markUsed(db, key);
      return { sub, credential, address };
    },
    async pendingAddress(db, slot) {
      const row = await store.byKey(db, keyOf(slot));
      return row && !row.used && row.expires.getTime() > now() ? (row.address ?? undefined) : undefined;
    },
  };
}

/** The row that a guess is compared with where there is no code: no guess matches it. */
const simulatedRow = (slot: CodeSlot, now: number): store.NewCode => ({
  key: keyOf(slot),
  mac: randomBytes(MAC),
  expires: endOf(slot, now),
});

const endOf = ({ purpose }: CodeSlot, now: number): Date => new Date(now + LIFE[purpose]);

const keyOf = ({ purpose, name }: CodeSlot): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([purpose, name]))
    .digest();

type MacInput = Pick<store.CodeRow, 'key' | 'sub' | 'credential' | 'address'>;

function macOf(seal: Seal, { key, sub, credential, address }: MacInput, code: string): Buffer {
  return seal.mac(JSON.stringify([key.toString('base64'), sub, credential, address, code]));
}
