import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import { type ConnectionSettings, newClient } from './database.ts';

/** What keeps the product from starting on this database, in words for whoever runs it. */
export class DatabaseError extends Error {}

/** A connection for work on the whole database, within ten seconds; the caller ends it. Throws a `DatabaseError`. */
export async function connectAs(connection: ConnectionSettings & Pick<pg.ClientConfig, 'application_name'>): Promise<pg.Client> {
  const client = newClient({ connectionTimeoutMillis: 10_000, ...connection });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new DatabaseError(`The database cannot be reached: ${(error as Error).message}`, { cause: error });
  }
}

const FOLDER = fileURLToPath(new URL('../../database/migrations', import.meta.url));
/** Any number, the same in every process: one migrates, the others wait and find nothing left to do. */
const LOCK = 4_270_613;
const LOCK_WAIT = '60s';

/** The hashes of the migrations of this version, in order. */
export const knownMigrations = (): string[] => readMigrationFiles({ migrationsFolder: FOLDER }).map(({ hash }) => hash);

/** The hashes of those that a database has seen, in order. */
export async function appliedMigrations(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ known: string | null }>(`select to_regclass('drizzle.__drizzle_migrations') as known`);
  if (rows[0]?.known === null) return [];
  const applied = await owner.query<{ hash: string }>('select hash from drizzle.__drizzle_migrations order by created_at, id');
  return applied.rows.map(({ hash }) => hash);
}

/** Works while no other process migrates. */
export async function withMigrationLock<T>(owner: pg.Client, work: () => Promise<T>): Promise<T> {
  await owner.query(`set lock_timeout = '${LOCK_WAIT}'`);
  await owner.query('select pg_advisory_lock($1)', [LOCK]);
  try {
    return await work();
  } finally {
    await owner.query('select pg_advisory_unlock($1)', [LOCK]);
  }
}

/** Every pending migration, in one transaction. */
export const migrateToLatest = (owner: pg.Client): Promise<void> =>
  applyMigrations(drizzle({ client: owner }), { migrationsFolder: FOLDER });

/** The first so many migrations, those that are pending of them, in one transaction. */
export async function migrateTo(owner: pg.Client, count: number): Promise<void> {
  const earlier = await mkdtemp(path.join(tmpdir(), 'afterword-migrations-'));
  try {
    await cp(FOLDER, earlier, { recursive: true });
    const journal = path.join(earlier, 'meta/_journal.json');
    const { entries, ...rest } = JSON.parse(await readFile(journal, 'utf8')) as { entries: unknown[] };
    await writeFile(journal, JSON.stringify({ ...rest, entries: entries.slice(0, count) }));
    await applyMigrations(drizzle({ client: owner }), { migrationsFolder: earlier });
  } finally {
    await rm(earlier, { recursive: true });
  }
}
