import path from 'node:path';
import process from 'node:process';
import type pg from 'pg';
import { FileExists } from '../server/disk/durable-file.ts';
import { type BackupContents, BackupError } from '../server/platform/backup/format.ts';
import { type Config, ConfigError } from '../server/platform/config/config.ts';
import type { ConnectionSettings } from '../server/platform/database/database.ts';
import { connectAs, DatabaseError } from '../server/platform/database/migrations.ts';
import { createLog } from '../server/platform/log/log.ts';
import { EmbeddedPostgresError } from '../server/postgres/postgres.ts';
import { asOwner } from '../server/start.ts';

/* Shared by the commands that write and restore backups. */

/** Returns the path that a command's only argument names. */
export function fileArgument([file, ...more]: readonly string[], usage: string): string {
  if (file === undefined || more.length > 0) throw new BackupError(`Name one file: ${usage}`);
  // npm runs scripts in the product's folder, and puts the caller's folder in INIT_CWD.
  return path.resolve(process.env['INIT_CWD'] ?? '.', file);
}

/** Runs work as the role that owns the tables. */
export const withOwner = <T>(config: Config, work: (owner: pg.Client, settings: ConnectionSettings) => Promise<T>): Promise<T> =>
  asOwner(config, log, async (settings) => {
    const owner = await connectAs({ ...settings, application_name: 'afterword owner' });
    return work(owner, settings).finally(() => owner.end());
  });

export const log = createLog({ logLevel: 'warn' });

/** Returns what a backup contains, such as `1 account, 3 people, 512 pieces of feedback`. */
export function summaryOf({ tables }: BackupContents): string {
  const countOf = (table: string, singular: string, plural: string): string => {
    const rows = tables[`public.${table}`]?.rows ?? 0;
    return `${rows.toLocaleString('en')} ${rows === 1 ? singular : plural}`;
  };
  return [
    countOf('account', 'account', 'accounts'),
    countOf('user', 'person', 'people'),
    `${countOf('feedback', 'piece', 'pieces')} of feedback`,
  ].join(', ');
}

/** Runs a command. If it fails, exits with status 1 after a sentence with the reason and the outcome. */
export async function runCommand(outcome: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${reasonOf(error)} ${outcome}\n`);
    process.exitCode = 1;
  }
}

const EXPECTED = [BackupError, ConfigError, DatabaseError, EmbeddedPostgresError, FileExists];

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return EXPECTED.some((kind) => error instanceof kind) || 'code' in error ? error.message : (error.stack ?? error.message);
}
