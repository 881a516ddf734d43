import type { FastifyBaseLogger } from 'fastify';
import type { Platform } from '../../platform/context.ts';
import type { Directory, FactorResets } from '../port.ts';
import type { PoolMails } from './mails.ts';
import type { Operators } from './operators.ts';
import type { BackupCodes } from './second-factor/backup-codes.ts';
import type { Totps } from './second-factor/one-time-passwords.ts';
import type { Codes } from './secrets/codes.ts';
import type { Passwords } from './secrets/passwords.ts';
import type { SigningKeys } from './sessions/signing-keys.ts';
import type { PoolNames, Tokens } from './sessions/tokens.ts';

/** What the pool's functions work with, handed down by hand. */
export interface Dependencies extends Pick<Platform, 'database' | 'now'> {
  readonly names: PoolNames;
  readonly keys: SigningKeys;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  readonly codes: Codes;
  readonly totps: Totps;
  readonly backupCodes: BackupCodes;
  readonly resets: FactorResets;
  readonly operators: Operators;
  readonly mails: PoolMails;
  readonly directory: Directory;
}

/** Where a call comes from. */
export interface RequestContext {
  /** The caller's network address. */
  readonly address: string;
  /** The same for a call and its repetitions, different for everything else; undefined where the client does not number its calls. */
  readonly idempotencyKey: Buffer | undefined;
  /** What the caller's browser calls itself; empty where it says nothing. */
  readonly agent: string;
  readonly log: FastifyBaseLogger;
}
