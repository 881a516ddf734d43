import type { Transaction } from '../database/database.ts';
import { SCHEMA } from './schema.ts';

/** How the jobs of one kind stand. */
export interface JobsStanding {
  readonly name: string;
  /** Due, and not begun. */
  readonly waiting: number;
  /** Due later, such as those that are to be tried again. */
  readonly later: number;
  readonly running: number;
  /** Given up, and not yet wiped. */
  readonly failed: number;
  /** Since when the one that waits longest is due (UTC ms); null where none waits. */
  readonly oldest: number | null;
}

/** Each kind that has jobs, by name; without the queue's own. */
export async function jobsStanding({ $client: client }: Transaction): Promise<JobsStanding[]> {
  const { rows } = await client.query<JobsStanding>(`
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
