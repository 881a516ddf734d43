import type { FastifyBaseLogger } from 'fastify';
import type { Platform } from '../../platform/context.ts';
import type { Directory, FactorResets } from '../port.ts';
import type { PoolMails } from './mails.ts';
import type { Operators } from './operators.ts';
import type { BackupCodes } from './second-factor/backup-codes.ts';
import type { OneTimePasswords } from './second-factor/one-time-passwords.ts';
import type { Codes } from './secrets/codes.ts';
import type { Passwords } from './secrets/passwords.ts';
import type { SigningKeys } from './sessions/signing-keys.ts';
import type { PoolNames, Tokens } from './sessions/tokens.ts';

/** The context passed to the pool's functions. */
export interface Dependencies extends Pick<Platform, 'database' | 'now'> {
  readonly names: PoolNames;
  readonly keys: SigningKeys;
  readonly tokens: Tokens;
  readonly passwords: Passwords;
  readonly codes: Codes;
  readonly totps: OneTimePasswords;
  readonly backupCodes: BackupCodes;
  readonly resets: FactorResets;
  readonly operators: Operators;
  readonly mails: PoolMails;
  readonly directory: Directory;
}

/** The origin of a call. */
export interface RequestContext {
  /** The caller's network address. */
  readonly address: string;
  /** The same for a call and its retries, unique otherwise; undefined if the client sends no invocation id. */
  readonly idempotencyKey: Buffer | undefined;
  /** The caller's user agent; may be empty. */
  readonly agent: string;
  readonly log: FastifyBaseLogger;
}
