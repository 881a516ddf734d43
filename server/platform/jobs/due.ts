import type { PgBoss } from 'pg-boss';
import { SCHEMA } from './schema.ts';

/** Returns the names that have a job to start. Reads the start of an index per name, so the cost doesn't grow with the queue. */
export async function namesDue(boss: PgBoss, names: readonly string[]): Promise<string[]> {
  const { rows } = await boss.getDb().executeSql(NAMES_DUE, [names]);
  return rows.map(({ name }) => name);
}

/** The conditions are those of pg-boss's own fetch. */
const NAMES_DUE = `
  select name from unnest($1::text[]) as names (name)
   where exists (
     select from ${SCHEMA}.job
      where job.name = names.name and state < 'active' and not blocked and start_after <= ${SCHEMA}.job_now())`;
