import path from 'node:path';
import process from 'node:process';
import type pg from 'pg';
import { type BackupContents, BackupError } from '../server/platform/backup/format.ts';
import { type Config, ConfigError } from '../server/platform/config/config.ts';
import type { ConnectionSettings } from '../server/platform/database/database.ts';
import { connectAs, DatabaseError } from '../server/platform/database/migrations.ts';
import { createLog } from '../server/platform/log/log.ts';
import { EmbeddedPostgresError } from '../server/postgres/postgres.ts';
import { asOwner } from '../server/start.ts';

/* What making and restoring backups have in common at the command line. */

export function fileIn([file, ...more]: readonly string[], usage: string): string {
  if (file === undefined || more.length > 0) throw new BackupError(`Name one file: ${usage}`);
  // npm runs scripts in the product's folder, and says where it was called.
  return path.resolve(process.env['INIT_CWD'] ?? '.', file);
}

/** Works on the database as the role that owns its tables. */
export const withOwner = <T>(config: Config, work: (owner: pg.Client, settings: ConnectionSettings) => Promise<T>): Promise<T> =>
  asOwner(config, log, async (settings) => {
    const owner = await connectAs({ ...settings, application_name: 'afterword owner' });
    return work(owner, settings).finally(() => owner.end());
  });

export const log = createLog({ logLevel: 'warn' });

export function howMuch({ tables }: BackupContents): string {
  const counted = (table: string, one: string, many: string): string => {
    const rows = tables[`public.${table}`]?.rows ?? 0;
    return `${rows.toLocaleString('en')} ${rows === 1 ? one : many}`;
  };
  return [
    counted('account', 'account', 'accounts'),
    counted('user', 'person', 'people'),
    `${counted('feedback', 'piece', 'pieces')} of feedback`,
  ].join(', ');
}

/** Ends with status 1 and a sentence where the work cannot be done. */
export async function inPlainWords(outcome: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${reasonOf(error)} ${outcome}\n`);
    process.exitCode = 1;
  }
}

const EXPECTED = [BackupError, ConfigError, DatabaseError, EmbeddedPostgresError];

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return EXPECTED.some((kind) => error instanceof kind) || 'code' in error ? error.message : (error.stack ?? error.message);
}
