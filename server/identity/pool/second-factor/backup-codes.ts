import { randomBytes } from 'node:crypto';
import { BACKUP_CODES } from '#contract/identity/identity.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import type { Seal } from '../secrets/seal.ts';
import * as store from './second-factor-store.ts';

/** Crockford's base 32, without letters that look like others. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Characters of a backup code, five bits each. @limit backup-codes */
const CHARACTERS = 10;

/** Single-use codes that replace a lost app. */
export interface BackupCodes {
  /** Creates codes, which replace the previous ones, and returns them, this once. */
  make(db: Transaction, sub: string): Promise<string[]>;
  /** Marks a code as used; returns false if it is not this person's or already used. */
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
    redeem: (db, sub, code) => store.useBackupCode(db, { sub, mac: macOf(sub, normalize(code)), used: new Date(now()) }),
  };
}

/** Returns whether an answer is a backup code, by its length: no app shows as many characters. */
export const isBackupCode = (code: string): boolean => code.length >= CHARACTERS;

const newCode = (): string => Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('');

/** Normalizes a typed code: lowercase, dashes and look-alike letters are accepted. */
const normalize = (typed: string): string => typed.toUpperCase().replaceAll('-', '').replaceAll('O', '0').replace(/[IL]/g, '1');
