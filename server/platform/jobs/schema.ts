import type pg from 'pg';
import { getConstructionPlans, getMigrationPlans } from 'pg-boss';
import pgBoss from 'pg-boss/package.json' with { type: 'json' };
import { APP_ROLE } from '../database/database.ts';

export const SCHEMA = 'pgboss';
/** Of the schema that this program works on. */
export const QUEUE_VERSION = pgBoss.pgboss.schema;

/**
 * Makes or upgrades the queue's schema as its owner, names the kinds of jobs, and lets the product's role work on it.
 * Gives back false, and changes nothing, when the schema is newer than this program. Hold the migration's lock.
 */
export async function bringJobsUpToDate(owner: pg.Client, names: readonly string[]): Promise<boolean> {
  const version = await installedVersion(owner);
  if (version !== undefined && version > QUEUE_VERSION) return false;
  if (version === undefined) await owner.query(getConstructionPlans(SCHEMA));
  else if (version < QUEUE_VERSION) await owner.query(whole(getMigrationPlans(SCHEMA, version)));
  for (const name of names) await owner.query(`select ${SCHEMA}.create_queue($1, '{"policy": "standard"}')`, [name]);
  await owner.query(RIGHTS);
  return true;
}

/**
 * The plan of an upgrade as one transaction. It builds indexes after its own, for the sake of queues that are long and
 * busy; ours is short, and a process that dies in between would leave them unbuilt for good.
 */
const whole = (plan: string): string => `${plan.replace(/^\s*COMMIT;$/m, '').replaceAll('INDEX CONCURRENTLY', 'INDEX')}\ncommit;`;

/** The version and the kinds of jobs of a queue, where there is one. */
export async function installedQueue(owner: pg.Client): Promise<{ version: number; names: string[] } | undefined> {
  const version = await installedVersion(owner);
  if (version === undefined) return undefined;
  const { rows } = await owner.query<{ name: string }>(`select name from ${SCHEMA}.queue order by name`);
  return { version, names: rows.map(({ name }) => name) };
}

async function installedVersion(owner: pg.Client): Promise<number | undefined> {
  const { rows } = await owner.query<{ known: string | null }>(`select to_regclass('${SCHEMA}.version') as known`);
  if (rows[0]?.known === null) return undefined;
  const versions = await owner.query<{ version: number }>(`select version from ${SCHEMA}.version`);
  return versions.rows[0]?.version;
}

/** What working takes: jobs in any state, the marks of who did the upkeep last, the schedules. Neither tables nor types are made. */
const RIGHTS = `
  grant usage on schema ${SCHEMA} to ${APP_ROLE};
  grant select, insert, update, delete on ${SCHEMA}.job, ${SCHEMA}.job_common, ${SCHEMA}.schedule to ${APP_ROLE};
  grant select, insert, update on ${SCHEMA}.queue to ${APP_ROLE};
  grant select, update on ${SCHEMA}.version to ${APP_ROLE};
  grant select, delete on ${SCHEMA}.job_dependency to ${APP_ROLE};`;
