import { randomBytes } from 'node:crypto';
import { BACKUP_CODES } from '#contract/identity/identity.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import type { Seal } from '../secrets/seal.ts';
import * as store from './second-factor-store.ts';

/** Without letters that are taken for others (Crockford's base 32). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Five bits each. */
const CHARACTERS = 10;

/** Codes on paper that stand in for the app on a phone that is lost. */
export interface BackupCodes {
  /** Makes new codes, which end those before, and gives them out, this once. */
  make(db: Transaction, sub: string): Promise<string[]>;
  /** Uses a code up; false where it is none of this person's, or was used. */
  redeem(db: Transaction, sub: string, code: string): Promise<boolean>;
}

interface BackupCodesOptions {
  readonly seal: Seal;
  readonly now: () => number;
}

export function openBackupCodes({ seal, now }: BackupCodesOptions): BackupCodes {
  const macOf = (sub: string, code: string): Buffer => seal.mac(JSON.stringify(['backup code', sub, code]));
  return {
    async make(db, sub) {
      const codes = Array.from({ length: BACKUP_CODES }, newCode);
      await store.putBackupCodes(
        db,
        sub,
        codes.map((code) => macOf(sub, code)),
      );
      return codes.map((code) => `${code.slice(0, CHARACTERS / 2)}-${code.slice(CHARACTERS / 2)}`);
    },
    redeem: (db, sub, code) => store.useBackupCode(db, { sub, mac: macOf(sub, asWritten(code)), used: new Date(now()) }),
  };
}

/** Whether an answer is meant to be a backup code: no app shows so many characters. */
export const isBackupCode = (code: string): boolean => code.length >= CHARACTERS;

const newCode = (): string => Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('');

/** A code as it was given out, however it was typed: in lower case, without the dash, with letters that look alike. */
const asWritten = (typed: string): string => typed.toUpperCase().replaceAll('-', '').replaceAll('O', '0').replace(/[IL]/g, '1');
