import { throughPooler } from './client.ts';
import type { ConnectionSettings } from './database.ts';
import { DatabaseError } from './migrations.ts';
import { connectionError } from './working-role.ts';

/** Returns settings whose pools connect through a pooler in transaction mode. Throws a `DatabaseError` if it can't be used. */
export async function connectThroughPooler(connection: ConnectionSettings, pooler: string | undefined): Promise<ConnectionSettings> {
  if (pooler === undefined) return connection;
  if (connection.isDistributed) throw new DatabaseError('DATABASE_POOLER is set, but a Citus cluster needs connections without a pooler.');
  const error = await connectionError({ ...connection, Client: throughPooler(pooler) });
  if (error) throw new DatabaseError(`DATABASE_POOLER is "${pooler}", which can't be used: ${error.message}`, { cause: error });
  return { ...connection, pooler };
}
