import type { ConnectionSettings } from './database.ts';
import { refuseVolatile, waitingMigrations } from './migrate.ts';
import { connectAs } from './migrations.ts';

/** How a database stands, for whoever looks after it. */
export interface DatabaseState {
  /** Of PostgreSQL. */
  readonly version: string;
  readonly bytes: number;
  /** By how much its clock is ahead of this process's (ms). Exact to the time that the question took. */
  readonly ahead: number;
  /** Migrations of this version that it has not seen. */
  readonly waiting: number;
}

interface LookOptions {
  readonly allowVolatile: boolean;
  /** UTC ms. */
  readonly now: () => number;
}

/** Looks at a database as its owner, and changes nothing. Throws a `DatabaseError` where this version cannot work on it, ever. */
export async function stateOfDatabase(owner: ConnectionSettings, { allowVolatile, now }: LookOptions): Promise<DatabaseState> {
  const client = await connectAs({ ...owner, application_name: 'afterword admin' });
  try {
    await refuseVolatile(client, allowVolatile);
    const waiting = await waitingMigrations(client);
    const asked = now();
    const { rows } = await client.query<{ version: string; bytes: number; at: number }>(FACTS);
    const [facts, between] = [rows[0], (asked + now()) / 2];
    if (!facts) throw new Error('The database said nothing of itself');
    return { version: facts.version, bytes: facts.bytes, ahead: Math.round(facts.at - between), waiting };
  } finally {
    await client.end();
  }
}

const FACTS = `
  select current_setting('server_version') as version,
         pg_database_size(current_database())::float8 as bytes,
         (extract(epoch from clock_timestamp()) * 1000)::float8 as at`;
