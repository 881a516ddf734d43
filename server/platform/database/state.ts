import type { ConnectionSettings } from './database.ts';
import { pendingMigrations, refuseVolatile } from './migrate.ts';
import { connectAs } from './migrations.ts';

/** Facts about a database, for operators. */
interface DatabaseState {
  /** PostgreSQL's version. */
  readonly version: string;
  readonly bytes: number;
  /** How far its clock is ahead of this process's (ms), accurate to half the query's round trip. */
  readonly ahead: number;
  /** Number of pending migrations. */
  readonly waiting: number;
}

interface LookOptions {
  readonly allowVolatile: boolean;
  /** UTC ms. */
  readonly now: () => number;
}

/** Returns a database's state without changing anything. Throws a `DatabaseError` if this version can never run on it. */
export async function stateOfDatabase(owner: ConnectionSettings, { allowVolatile, now }: LookOptions): Promise<DatabaseState> {
  const client = await connectAs({ ...owner, application_name: 'afterword admin' });
  try {
    await refuseVolatile(client, allowVolatile);
    const waiting = await pendingMigrations(client);
    const start = now();
    const { rows } = await client.query<{ version: string; bytes: number; at: number }>(FACTS);
    const [facts, between] = [rows[0], (start + now()) / 2];
    if (!facts) throw new Error('The database returned no row');
    return { version: facts.version, bytes: facts.bytes, ahead: Math.round(facts.at - between), waiting };
  } finally {
    await client.end();
  }
}

const FACTS = `
  select current_setting('server_version') as version,
         pg_database_size(current_database())::float8 as bytes,
         (extract(epoch from clock_timestamp()) * 1000)::float8 as at`;
