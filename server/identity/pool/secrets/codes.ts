import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Transaction } from '../../../platform/database/database.ts';
import { sha256 } from '../../../platform/sha256.ts';
import * as store from './codes-store.ts';
import { newLinkKey } from './link-keys.ts';
import type { Seal } from './seal.ts';

type CodePurpose = 'sign-up' | 'reset' | 'address';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The life of a code (ms). @limit codes */
const LIFE: Readonly<Record<CodePurpose, number>> = { 'sign-up': 24 * HOUR, reset: 10 * MINUTE, address: 24 * HOUR };
/** The most tries per code, and its digits. @limit codes */
const MOST_TRIES = 5;
const DIGITS = 6;
/** Bytes of an HMAC with SHA-256. */
const MAC = 32;

/** Identifies a code; each slot has at most one. */
export interface CodeSlot {
  readonly purpose: CodePurpose;
  /** An address as typed, or a person’s id. */
  readonly name: string;
}

/** The rights that redeeming a code grants. */
export interface CodeGrant {
  readonly sub: string;
  /** The person's `credential` when the code was made: a later password makes the code invalid. */
  readonly credential: number;
  /** The address the code was mailed to, if it is not the person's own yet. */
  readonly address: string | null;
}

/** `superseded`: the code was right, but a later sign-up has replaced its person. */
type RedeemOutcome = CodeGrant | 'used' | 'expired' | 'wrong' | 'superseded';

/** Mailed codes: six digits, five tries, at most one valid code for each purpose and person. */
export interface Codes {
  /** Creates a code, which replaces the previous one. Without a grant the code is never right, but takes the same work. */
  make(db: Transaction, slot: CodeSlot, grant: CodeGrant | undefined): Promise<string>;
  /**
   * Same, with a key for a link, which can't be guessed, so failed tries of the code don't end it. `hasCode: false` creates only
   * the key. `former` is the id of the person whose code this one supersedes.
   */
  makeWithLink(
    db: Transaction,
    slot: CodeSlot,
    options: { readonly grant: CodeGrant | undefined; readonly hasCode?: boolean; readonly former?: string | undefined },
  ): Promise<{ readonly code: string | undefined; readonly linkKey: string }>;
  /** Ends the code of a person about to be deleted; redeeming it then returns `superseded`. The slot’s name is their id. */
  supersede(db: Transaction, slot: CodeSlot): Promise<void>;
  /** Makes an unknown name look like one with a pending code: every guess is wrong. */
  simulate(db: Transaction, slot: CodeSlot): Promise<void>;
  /** Tries a code. The transaction must be committed whatever the outcome, because it counts the try. */
  redeem(db: Transaction, guess: CodeSlot & { readonly code: string }): Promise<RedeemOutcome>;
  /** Returns the address that a valid code was mailed to. */
  pendingAddress(db: Transaction, slot: CodeSlot): Promise<string | undefined>;
  /** Returns whether a person’s code has yet to expire, even if it is used. */
  isUnexpired(db: Transaction, slot: CodeSlot): Promise<boolean>;
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
      await store.putIfAbsent(db, simulatedRow(slot, now()));
    },
    async redeem(db, { code, ...slot }) {
      if (isLinkKey(code)) return redeemLink(db, slot, code);
      const row = await store.countTry(db, simulatedRow(slot, now()));
      if (row.tries > MOST_TRIES) return 'expired';
      if (timingSafeEqual(row.mac, macOf(seal, row, code))) return grantOf(db, row);
      const former = row.former === null ? undefined : { purpose: slot.purpose, name: row.former };
      const isOld = isSuperseded(row, slot, code) || (former && isSuperseded(await store.byKey(db, keyOf(former)), former, code));
      return isOld ? 'superseded' : 'wrong';
    },
    async pendingAddress(db, slot) {
      const row = await store.byKey(db, keyOf(slot));
      return row && !row.used && row.expires.getTime() > now() ? (row.address ?? undefined) : undefined;
    },
    async isUnexpired(db, slot) {
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

  /** A superseded row has no person, so the MAC is checked with the id from the slot. */
  function isSuperseded(row: store.CodeRow | undefined, { name }: CodeSlot, code: string): boolean {
    if (row?.sub !== null) return false;
    const mac = macOf(seal, { ...row, sub: name }, code);
    return [row.mac, row.linkMac].some((stored) => stored !== null && timingSafeEqual(stored, mac));
  }

  /** Returns the status of a right code: only a caller who has it learns more than `wrong`. */
  async function grantOf(db: Transaction, row: store.CodeRow): Promise<RedeemOutcome> {
    const { key, sub, credential, address } = row;
    if (sub === null) return 'wrong';
    if (row.used) return 'used';
    if (row.expires.getTime() <= now()) return 'expired';
    await store.markUsed(db, key);
    return { sub, credential, address };
  }
}

/** Returns whether the text is a link's key, by its length: codes are shorter. */
export const isLinkKey = (code: string): boolean => code.length > 2 * DIGITS;

const newCode = (): string => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');

/** Returns the row for a slot without a code, which no guess matches. */
const simulatedRow = (slot: CodeSlot, now: number): store.NewCode => ({
  key: keyOf(slot),
  mac: randomBytes(MAC),
  expires: endOf(slot, now),
});

const endOf = ({ purpose }: CodeSlot, now: number): Date => new Date(now + LIFE[purpose]);

const keyOf = ({ purpose, name }: CodeSlot): Buffer => sha256(JSON.stringify([purpose, name]));

type MacInput = Pick<store.CodeRow, 'key' | 'sub' | 'credential' | 'address'>;

function macOf(seal: Seal, { key, sub, credential, address }: MacInput, code: string): Buffer {
  return seal.mac(JSON.stringify([key.toString('base64'), sub, credential, address, code]));
}
