import type { Database } from '../database/database.ts';
import type { MetricGroup } from '../metrics.ts';
import { SCHEMA } from './schema.ts';

/** Returns metrics of the job queue of the whole installation. */
export const jobMetrics = ({ database, names }: { readonly database: Pick<Database, 'transaction'>; readonly names: readonly string[] }) =>
  ({
    help: {
      afterword_jobs: 'Jobs by name: waiting (for a worker, their time or a retry), active, and failed (given up and not yet deleted).',
      afterword_jobs_oldest_seconds: 'How long the oldest due job of each name has waited; 0 without one.',
    },
    labels: { afterword_jobs: ['job', 'state'], afterword_jobs_oldest_seconds: ['job'] },
    async read() {
      const rows = await database.transaction({}, async (db) => (await db.$client.query<JobCounts>(COUNTS)).rows);
      const rowsByName = new Map(rows.map((row) => [row.name, row]));
      const counts = names.map((name) => rowsByName.get(name) ?? { ...NONE, name });
      return {
        afterword_jobs: counts.flatMap(({ name: job, ...states }) =>
          STATES.map((state) => ({ labels: { job, state }, value: states[state] })),
        ),
        afterword_jobs_oldest_seconds: counts.map(({ name: job, oldest }) => ({ labels: { job }, value: oldest })),
      };
    },
  }) satisfies MetricGroup;

const STATES = ['waiting', 'active', 'failed'] as const;

interface JobCounts extends Readonly<Record<(typeof STATES)[number], number>> {
  readonly name: string;
  /** Seconds. */
  readonly oldest: number;
}

const NONE = { waiting: 0, active: 0, failed: 0, oldest: 0 };

/** Skips completed jobs, so that the cost depends on the unfinished ones only. */
const COUNTS = `
  select name,
    count(*) filter (where state < 'active')::int as waiting,
    count(*) filter (where state = 'active')::int as active,
    count(*) filter (where state = 'failed')::int as failed,
    greatest(0, coalesce(extract(epoch from now() - min(start_after) filter (where state < 'active')), 0))::float8 as oldest
  from ${SCHEMA}.job where state in ('created', 'retry', 'active', 'failed') group by name`;
