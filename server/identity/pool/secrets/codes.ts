import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Transaction } from '../../../platform/database/database.ts';
import * as store from './codes-store.ts';
import { newLinkKey } from './link-keys.ts';
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
  /** An address as typed, or somebody’s id. */
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

/** `superseded`: right once, and another person waits for the address now. */
type RedeemOutcome = CodeGrant | 'used' | 'expired' | 'wrong' | 'superseded';

/** The codes that go out by mail: six digits, one live for each purpose and person, five tries. */
export interface Codes {
  /** Makes a code, which ends the one before. Without a grant it opens nothing, and is the same work. */
  make(db: Transaction, slot: CodeSlot, grant: CodeGrant | undefined): Promise<string>;
  /**
   * The same with a key for a link, which nobody guesses: tries of the code do not wear it out. `hasCode: false` makes the
   * key only. `former` is the id of whose code was superseded by this one.
   */
  makeWithLink(
    db: Transaction,
    slot: CodeSlot,
    made: { readonly grant: CodeGrant | undefined; readonly hasCode?: boolean; readonly former?: string | undefined },
  ): Promise<{ readonly code: string | undefined; readonly linkKey: string }>;
  /** Ends the code of somebody who is about to be removed. Whoever gives it back is told that there is a newer one. The slot’s name is their id. */
  supersede(db: Transaction, slot: CodeSlot): Promise<void>;
  /** Lets a name that nobody has look like one that waits for its code: any guess is wrong. */
  simulate(db: Transaction, slot: CodeSlot): Promise<void>;
  /** Tries a code, once. The transaction has to be committed whatever the outcome: it counts the try. */
  redeem(db: Transaction, tried: CodeSlot & { readonly code: string }): Promise<RedeemOutcome>;
  /** The address that a live code was mailed to. */
  pendingAddress(db: Transaction, slot: CodeSlot): Promise<string | undefined>;
  /** Whether somebody’s code was made and has not expired yet, be it used. */
  isKept(db: Transaction, slot: CodeSlot): Promise<boolean>;
}

interface CodesOptions {
  readonly seal: Seal;
  readonly now: () => number;
}

export function openCodes({ seal, now }: CodesOptions): Codes {
  return {
    async make(db, slot, grant) {
      const [code, row] = [newCode(), newRow(slot, grant)];
      await store.put(db, { ...row, mac: macOf(seal, row, code) });
      return code;
    },
    async makeWithLink(db, slot, { grant, hasCode = true, former }) {
      const [code, linkKey, row] = [newCode(), newLinkKey(), newRow(slot, grant)];
      const mac = hasCode ? macOf(seal, row, code) : randomBytes(MAC);
      await store.put(db, { ...row, mac, linkMac: macOf(seal, row, linkKey), former: former ?? null });
      return { code: hasCode ? code : undefined, linkKey };
    },
    supersede: (db, slot) => store.release(db, keyOf(slot)),
    async simulate(db, slot) {
      await store.putFirst(db, simulatedRow(slot, now()));
    },
    async redeem(db, { code, ...slot }) {
      if (isLinkKey(code)) return redeemLink(db, slot, code);
      const row = await store.countTry(db, simulatedRow(slot, now()));
      if (row.tries > MOST_TRIES) return 'expired';
      if (timingSafeEqual(row.mac, macOf(seal, row, code))) return grantOf(db, row);
      const former = row.former === null ? undefined : { purpose: slot.purpose, name: row.former };
      const isOver = isSuperseded(row, slot, code) || (former && isSuperseded(await store.byKey(db, keyOf(former)), former, code));
      return isOver ? 'superseded' : 'wrong';
    },
    async pendingAddress(db, slot) {
      const row = await store.byKey(db, keyOf(slot));
      return row && !row.used && row.expires.getTime() > now() ? (row.address ?? undefined) : undefined;
    },
    async isKept(db, slot) {
      const row = await store.byKey(db, keyOf(slot));
      return row !== undefined && row.sub !== null && row.expires.getTime() > now();
    },
  };

  function newRow(slot: CodeSlot, grant: CodeGrant | undefined) {
    const { sub = null, credential = 0, address = null } = grant ?? {};
    return { key: keyOf(slot), sub, credential, address, expires: endOf(slot, now()) };
  }

  async function redeemLink(db: Transaction, slot: CodeSlot, linkKey: string): Promise<RedeemOutcome> {
    const row = await store.lockByKey(db, keyOf(slot));
    const isRight = row?.linkMac && timingSafeEqual(row.linkMac, macOf(seal, row, linkKey));
    if (row && isRight) return grantOf(db, row);
    return isSuperseded(row, slot, linkKey) ? 'superseded' : 'wrong';
  }

  /** A superseded row has lost its person, whose id the slot still names. */
  function isSuperseded(row: store.CodeRow | undefined, { name }: CodeSlot, code: string): boolean {
    if (row?.sub !== null) return false;
    const mac = macOf(seal, { ...row, sub: name }, code);
    return [row.mac, row.linkMac].some((kept) => kept !== null && timingSafeEqual(kept, mac));
  }

  /** Only whoever has the right code learns what became of it. */
  async function grantOf(db: Transaction, row: store.CodeRow): Promise<RedeemOutcome> {
    const { key, sub, credential, address } = row;
    if (sub === null) return 'wrong';
    if (row.used) return 'used';
    if (row.expires.getTime() <= now()) return 'expired';
    await store.markUsed(db, key);
    return { sub, credential, address };
  }
}

/** Whether this is the key of a mailed link, or meant to be: no code is so long. */
export const isLinkKey = (code: string): boolean => code.length > 2 * DIGITS;

const newCode = (): string => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');

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
