import type { Transaction } from '../database/database.ts';
import { SCHEMA } from './schema.ts';

/** The number of jobs of one name, by state. */
interface JobsStatus {
  readonly name: string;
  /** Due and not started. */
  readonly waiting: number;
  /** Due later, such as retries. */
  readonly later: number;
  readonly running: number;
  /** Given up and not yet deleted. */
  readonly failed: number;
  /** When the longest-waiting job became due (UTC ms); null if none waits. */
  readonly oldest: number | null;
}

/** Returns the status of every job name that has jobs, sorted by name, without pg-boss's own jobs. */
export async function jobsStatus({ $client: client }: Transaction): Promise<JobsStatus[]> {
  const { rows } = await client.query<JobsStatus>(`
    select name,
           count(*) filter (where is_queued and due <= now())::int as waiting,
           count(*) filter (where is_queued and due > now())::int as later,
           count(*) filter (where state = 'active')::int as running,
           count(*) filter (where state = 'failed')::int as failed,
           floor(extract(epoch from min(due) filter (where is_queued and due <= now())) * 1000)::float8 as oldest
      from (select name, state, state in ('created', 'retry') as is_queued, greatest(created_on, start_after) as due from ${SCHEMA}.job) as job
     where name not like '\\_\\_pgboss%' and state in ('created', 'retry', 'active', 'failed')
     group by name
     order by name`);
  return rows;
}
