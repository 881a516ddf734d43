import type { PgBoss } from 'pg-boss';
import { SCHEMA } from './schema.ts';

/** Returns the names that have a job to start. */
export async function namesDue(boss: PgBoss, names: readonly string[]): Promise<string[]> {
  const { rows } = await boss.getDb().executeSql(NAMES_DUE, [names]);
  return rows.map(({ name }) => name);
}

/**
 * The conditions are those of pg-boss's own fetch, and the order is that of its index, of which only the first due entry of each name is
 * read. Without the order, the planner reads every job that waits.
 */
export const NAMES_DUE = `
  select name
    from unnest($1::text[]) as names (name) cross join lateral (
      select from ${SCHEMA}.job
       where job.name = names.name and state < 'active' and not blocked and start_after <= ${SCHEMA}.job_now()
       order by priority desc, created_on limit 1) as due`;
