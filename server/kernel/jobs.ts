import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { type JobResult, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Connection, Transaction } from './database.ts';
import { SCHEMA } from './jobs/schema.ts';
import { JOB_NAMES, JOBS, type JobData, type JobPolicy, SCHEDULES } from './jobs/table.ts';
import { errorForLog } from './log.ts';

export type { JobData } from './jobs/table.ts';

export interface Jobs {
  /** Queues a job in the caller's transaction: it exists if and only if that commits. `key` makes a repeat no second job. */
  queue<Name extends keyof JobData>(db: Transaction, name: Name, data: JobData[Name], options?: QueueOptions): Promise<void>;
}

export interface QueueOptions {
  /** Not before this moment. */
  readonly after?: Date;
  /** Names the job: while one of this name is waiting, worked on or kept, a repeat changes nothing. */
  readonly key?: string;
}

/** A job that is being worked on. It may run again after a crash, so its work must bear that. */
export interface Job<Data> {
  readonly data: Data;
  /** No further try follows when this one fails. */
  readonly isLast: boolean;
  /** Aborted when the try has taken too long, or the product stops and cannot wait. */
  readonly signal: AbortSignal;
}

/** What is done for each kind of job. A failure is tried again, but for `GivenUp`. */
export type Work = { readonly [Name in keyof JobData]?: (job: Job<JobData[Name]>) => Promise<void> };

/** A failure that no further try can mend. */
export class GivenUp extends Error {}

/** The queue, and the work on it. */
export interface OpenJobs extends Jobs {
  /** Starts to work on these kinds of jobs, and keeps the schedules; nothing in a process that only queues. */
  work(work: Work): Promise<void>;
  /** Lets what is being worked on come to an end; what takes too long is left for another process. */
  stop(): Promise<void>;
}

interface JobsOptions {
  readonly connection: Connection;
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  /** Whether this process works on jobs, or only queues them. */
  readonly works: boolean;
  readonly timing?: Partial<Timing>;
}

/** Seconds between looks at the queue; how a failure is waited out; what stopping may take. Tests hurry. */
export interface Timing {
  readonly poll: number;
  readonly wait: (policy: JobPolicy) => { retryDelay: number; retryBackoff: boolean; retryDelayMax?: number };
  readonly stop: number;
}

const TIMING: Timing = {
  poll: 1,
  wait: ({ firstWait, longestWait }) => ({ retryDelay: firstWait, retryBackoff: true, retryDelayMax: longestWait }),
  stop: 5,
};
const AT_ONCE = 5;
const POOL = 3;

export async function openJobs({ connection, log, works, timing }: JobsOptions): Promise<OpenJobs> {
  const { poll, wait, stop } = { ...TIMING, ...timing };
  const boss = new PgBoss({
    ...withoutUndefined(connection),
    application_name: 'afterword jobs',
    max: POOL,
    connectionTimeoutMillis: 5_000,
    options: '-c statement_timeout=30000 -c lock_timeout=10000',
    schema: SCHEMA,
    // The owner does this before the product starts; the role that works here could not.
    migrate: false,
    createSchema: false,
    reindex: false,
    monitorVacuum: false,
    supervise: works,
    schedule: works,
    superviseIntervalSeconds: 30,
    monitorIntervalSeconds: 60,
    maintenanceIntervalSeconds: 60,
  });
  const complain = seldom(log);
  boss.on('error', complain);
  boss.on('warning', ({ message }) => log.warn({ message }, 'the queue warns'));
  await boss.start();
  const worked: string[] = [];

  return {
    async queue(db, name, data, { after, key } = {}) {
      const { tries, longestTry, keep, ...waits } = JOBS[name];
      await boss.send(name, data, {
        db: { executeSql: (text, values) => db.$client.query(text, values) },
        retryLimit: tries - 1,
        expireInSeconds: longestTry,
        deleteAfterSeconds: keep,
        ...wait({ tries, longestTry, keep, ...waits }),
        ...(after && { startAfter: after }),
        ...(key !== undefined && { id: idFrom(name, key) }),
      });
    },
    async work(work) {
      if (!works) return;
      for (const name of JOB_NAMES) {
        const perform = work[name];
        if (!perform) continue;
        worked.push(name);
        await boss.work(
          name,
          { batchSize: AT_ONCE, pollingIntervalSeconds: poll, burstWhenBatchFull: true, includeMetadata: true, perJobResults: true },
          // The queue's rows are written by `queue` only, which pairs each name with its data.
          (jobs) => Promise.all(jobs.map((job) => tried(job as JobWithMetadata<never>, perform as Perform, log))),
        );
      }
      await keepSchedules(boss);
    },
    async stop() {
      await Promise.race([Promise.all(worked.map((name) => boss.offWork(name, { wait: true }))), patience(stop)]);
      await boss.stop({ graceful: false });
    },
  };
}

type Perform = (job: Job<never>) => Promise<void>;

/** One try, and what becomes of the job. What is kept of a failure must not quote anybody. */
async function tried(job: JobWithMetadata<never>, perform: Perform, log: JobsOptions['log']): Promise<JobResult> {
  const { id, name, data, retryCount, retryLimit, signal } = job;
  const isLast = retryCount >= retryLimit;
  try {
    await perform({ data, isLast, signal });
    return { id, status: 'completed' };
  } catch (error) {
    const isOver = isLast || error instanceof GivenUp;
    log[isOver ? 'error' : 'warn'](
      { err: error, job: name, jobId: id, tries: retryCount + 1 },
      isOver ? 'a job was given up' : 'a job failed',
    );
    return { id, status: error instanceof GivenUp ? 'deadletter' : 'failed', output: errorForLog(error) };
  }
}

/** The schedules are those of the table, also after one was taken out of it. */
async function keepSchedules(boss: PgBoss): Promise<void> {
  for (const { name } of await boss.getSchedules()) {
    if (!(name in SCHEDULES)) await boss.unschedule(name);
  }
  for (const [name, cron] of Object.entries(SCHEDULES)) {
    const { tries, longestTry, keep, firstWait, longestWait } = JOBS[name as keyof JobData];
    await boss.schedule(
      name,
      cron,
      {},
      {
        tz: 'UTC',
        retryLimit: tries - 1,
        retryDelay: firstWait,
        retryBackoff: true,
        retryDelayMax: longestWait,
        expireInSeconds: longestTry,
        deleteAfterSeconds: keep,
      },
    );
  }
}

/** The same key gives the same id, and the id is unique among jobs of a kind. */
function idFrom(name: string, key: string): string {
  const hash = createHash('sha256').update(`${name}\0${key}`).digest('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5');
}

const QUIET = 30_000;

/** A database that is away fails every look at the queue; one line in half a minute says so. */
function seldom(log: JobsOptions['log']): (error: Error) => void {
  let quietUntil = 0;
  return (error) => {
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + QUIET;
    const { code, name } = error as { code?: string; name?: string };
    log.warn({ code, name, ...(error instanceof Error && { err: error }) }, 'the queue cannot be worked on');
  };
}

const patience = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000).unref());

const withoutUndefined = <T extends object>(settings: T) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as { [K in keyof T]: Exclude<T[K], undefined> };
