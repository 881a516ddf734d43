import type pg from 'pg';
import type { Application } from './application.ts';

/**
 * Messages of level `error` quote what a statement was given ("invalid input syntax for type uuid: …"). Node hears of
 * them anyway, so sessions of this database log only what is about the server. Background processes still log all.
 */
const QUIET = 'log_min_messages=log';

/** Makes the application's database. Takes two steps, either of which an earlier start may have missed. */
export async function ensureDatabase(client: pg.Client, { name }: Application): Promise<void> {
  const { rows } = await client.query<{ quiet: boolean }>(
    `select exists (select from pg_db_role_setting s where s.setdatabase = d.oid and $2 = any (s.setconfig)) as quiet
     from pg_database d where d.datname = $1`,
    [name, QUIET],
  );
  if (rows.length === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  if (!rows[0]?.quiet) await client.query(`alter database ${client.escapeIdentifier(name)} set ${QUIET}`);
}
