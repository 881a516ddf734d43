import type pg from 'pg';
import { getConstructionPlans, getMigrationPlans } from 'pg-boss';
import pgBoss from 'pg-boss/package.json' with { type: 'json' };
import { APP_ROLE } from '../database/database.ts';

export const SCHEMA = 'pgboss';
/** The schema version that this program needs. */
export const QUEUE_VERSION = pgBoss.pgboss.schema;

/**
 * Creates or upgrades the queue's schema as its owner, with a queue per job name and grants for the product's role. Returns false,
 * without a change, if the schema is newer than this program. Call it with the migration lock.
 */
export async function migrateJobs(owner: pg.Client, names: readonly string[]): Promise<boolean> {
  const version = await installedVersion(owner);
  if (version !== undefined && version > QUEUE_VERSION) return false;
  if (version === undefined) await owner.query(getConstructionPlans(SCHEMA));
  else if (version < QUEUE_VERSION) await owner.query(asTransaction(getMigrationPlans(SCHEMA, version)));
  for (const name of names) await owner.query(`select ${SCHEMA}.create_queue($1, '{"policy": "standard"}')`, [name]);
  await owner.query(RIGHTS);
  return true;
}

/**
 * Returns the upgrade plan as a single transaction. pg-boss builds indexes concurrently after its transaction, for long queues; ours
 * is short, and a crash in between would leave the indexes missing for good.
 */
const asTransaction = (plan: string): string => `${plan.replace(/^\s*COMMIT;$/m, '').replaceAll('INDEX CONCURRENTLY', 'INDEX')}\ncommit;`;

/** Returns the version and job names of the installed queue, or undefined without one. */
export async function installedQueue(owner: pg.Client): Promise<{ version: number; names: string[] } | undefined> {
  const version = await installedVersion(owner);
  if (version === undefined) return undefined;
  const { rows } = await owner.query<{ name: string }>(`select name from ${SCHEMA}.queue order by name`);
  return { version, names: rows.map(({ name }) => name) };
}

async function installedVersion(owner: pg.Client): Promise<number | undefined> {
  const { rows } = await owner.query<{ table: string | null }>(`select to_regclass('${SCHEMA}.version') as table`);
  if (rows[0]?.table === null) return undefined;
  const versions = await owner.query<{ version: number }>(`select version from ${SCHEMA}.version`);
  return versions.rows[0]?.version;
}

/** Rights to run jobs, do maintenance and save schedules, but not to create tables or types. */
const RIGHTS = `
  grant usage on schema ${SCHEMA} to ${APP_ROLE};
  grant select, insert, update, delete on ${SCHEMA}.job, ${SCHEMA}.job_common, ${SCHEMA}.schedule to ${APP_ROLE};
  grant select, insert, update on ${SCHEMA}.queue to ${APP_ROLE};
  grant select, update on ${SCHEMA}.version to ${APP_ROLE};
  grant select, delete on ${SCHEMA}.job_dependency to ${APP_ROLE};`;
