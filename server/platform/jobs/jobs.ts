import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { type JobResult, type JobWithMetadata, PgBoss, type SendOptions } from 'pg-boss';
import { untilAborted } from '../aborted-work.ts';
import { DatabaseClient } from '../database/client.ts';
import type { ConnectionSettings, Transaction } from '../database/database.ts';
import { errorForLog, warnSeldom } from '../log/log.ts';
import { sha256 } from '../sha256.ts';
import { CrashError, withCrashes } from './crashes.ts';
import { namesDue } from './due.ts';
import { SCHEMA } from './schema.ts';
import { openSlots, type Slots } from './slots.ts';

/** The data of each job, by job name. `server/jobs.ts` and the modules add theirs. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface JobData {}

/** How jobs of one name are retried and retained. All times are in seconds. */
export interface JobPolicy {
  /** Maximum number of attempts, including the first. */
  readonly tries: number;
  /** The delay before the second attempt. It doubles from there, with jitter, up to `longestWait`. */
  readonly firstWait: number;
  readonly longestWait: number;
  /** An attempt that takes longer counts as failed, because its process may be dead. */
  readonly longestTry: number;
  /** Jobs that a process runs at the same time; 5 by default. */
  readonly atOnce?: number;
  /** How long a completed or failed job is retained. */
  readonly keep: number;
  /** A cron schedule in UTC, for recurring jobs. */
  readonly schedule?: string;
}

export type JobPolicies = Readonly<Record<string, JobPolicy>>;

export interface Jobs {
  /** Queues a job in the caller's transaction, so that it exists only if that commits. A repeated `key` adds no second job. */
  queue<Name extends keyof JobData>(db: Transaction, name: Name, data: JobData[Name], options?: QueueOptions): Promise<void>;
}

interface QueueOptions {
  /** The earliest start. */
  readonly after?: Date;
  /** Identifies the job: as long as one with this key is stored, in any state, queueing it again changes nothing. */
  readonly key?: string;
  /** Higher goes first; 0 by default. */
  readonly priority?: number;
}

/** A running job. It may run again after a crash, so its work must be repeatable. */
export interface Job<Data> {
  readonly data: Data;
  /** Whether this is the last attempt. */
  readonly isLast: boolean;
  /** Aborted when the attempt times out, or the process stops and can't wait. Loops of batches end then. */
  readonly signal: AbortSignal;
}

/** The handlers, by job name. A failed job is retried unless it throws `UnrecoverableJobError`. */
export type Work = { readonly [Name in keyof JobData]?: (job: Job<JobData[Name]>) => Promise<void> };

/** Thrown by a job to fail without a retry. */
export class UnrecoverableJobError extends Error {}

/** The queue and this process's workers. */
export interface OpenJobs extends Jobs {
  /** Starts the workers and saves the schedules; does nothing in a process that only queues. */
  work(work: Work): Promise<void>;
  /** Waits for running jobs; those that take too long are aborted and left to another process. */
  stop(): Promise<void>;
}

interface JobsOptions {
  readonly connection: ConnectionSettings;
  readonly policies: JobPolicies;
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  /** Whether this process runs jobs or only queues them. */
  readonly works: boolean;
  /** Whether this process queues recurring jobs when they are due. */
  readonly recurring?: boolean | undefined;
  readonly timing?: Partial<Timing>;
}

/** Intervals and timeouts of the queue, in seconds. Tests use shorter ones. */
export interface Timing {
  /** Interval between queries for the names of due jobs. */
  readonly poll: number;
  /** Interval between maintenance runs, which retry timed-out jobs and delete old ones. */
  readonly upkeep: number;
  /** How long stopping waits for running jobs. */
  readonly stop: number;
  readonly retry: (policy: JobPolicy) => Retry;
}

type Retry = Pick<SendOptions, 'retryLimit' | 'retryDelay' | 'retryBackoff' | 'retryDelayMax'>;

const TIMING: Timing = {
  poll: 1,
  upkeep: 60,
  stop: 5,
  retry: ({ tries, firstWait, longestWait }) => ({
    retryLimit: tries - 1,
    retryDelay: firstWait,
    retryBackoff: true,
    retryDelayMax: longestWait,
  }),
};
const ABORT_TIMEOUT = 1;
/** Jobs of a kind that a process runs at once, and the connections for all kinds. @limit jobs */
const AT_ONCE = 5;
const POOL = 3;
/** Settings for the driver, which drops a connection without any response after `query_timeout` (ms). */
const ON_EACH_CONNECTION = { query_timeout: 16_000, keepAlive: true };

export async function openJobs({ connection, policies, log, works, recurring = works, timing }: JobsOptions): Promise<OpenJobs> {
  const { poll, upkeep, stop, retry } = { ...TIMING, ...timing };
  const warn = warnSeldom(log, 'due jobs could not be started; retrying');
  const boss = await startBoss({ connection, log, works, recurring, upkeep });
  const workers = new Map<string, Slots>();
  let wakingWorkers: Promise<void> | undefined;
  const polling = setInterval(() => {
    wakingWorkers ??= wakeWorkers()
      .catch(warn)
      .finally(() => (wakingWorkers = undefined));
  }, poll * 1000);
  const running = new Set<Promise<JobResult>>();
  const optionsOf = (name: string): SendOptions => {
    const policy = policies[name];
    if (!policy) throw new Error(`Unknown job: ${name}`);
    return { expireInSeconds: policy.longestTry, deleteAfterSeconds: policy.keep, ...retry(policy) };
  };

  return {
    async queue(db, name, data, { after, key, priority = 0 } = {}) {
      await boss.send(name, data, {
        ...optionsOf(name),
        priority,
        db: { executeSql: (text, values) => db.$client.query(text, values) },
        ...(after && { startAfter: after }),
        ...(key !== undefined && { id: idFrom(name, key) }),
      });
    },
    async work(work) {
      if (!works) return;
      for (const [name, perform] of Object.entries(work)) {
        const slots = openSlots({
          ...{ boss, name, most: policies[name]?.atOnce ?? AT_ONCE, idlePoll: upkeep },
          // Only `queue` writes jobs, and it pairs each name with its data.
          perform: (job) => track(attempt(job, perform as PerformJob, log)),
        });
        workers.set(name, slots);
        slots.poll();
      }
      await saveSchedules(boss, policies, optionsOf);
    },
    async stop() {
      clearInterval(polling);
      for (const slots of workers.values()) slots.close();
      const workersStopped = [...workers.keys()].map((name) => boss.offWork(name, { wait: true }));
      await Promise.race([Promise.all([wakingWorkers, ...workersStopped]), delay(stop)]);
      // Returns running jobs to the queue, aborts them, and gives them time to notice.
      await boss.stop({ graceful: false, close: false });
      await Promise.race([Promise.all(running), delay(ABORT_TIMEOUT)]);
      await boss.stop({ graceful: false });
    },
  };

  /** Makes the workers of each name with a due job fetch it, so that idle workers don't query the database. */
  async function wakeWorkers(): Promise<void> {
    if (workers.size === 0) return;
    for (const name of await namesDue(boss, [...workers.keys()])) workers.get(name)?.poll();
  }

  function track(job: Promise<JobResult>): Promise<JobResult> {
    running.add(job);
    return job.finally(() => running.delete(job));
  }
}

type BossOptions = Pick<JobsOptions, 'connection' | 'log' | 'works' | 'recurring'> & Pick<Timing, 'upkeep'>;

async function startBoss({ connection, log, works, recurring, upkeep }: BossOptions): Promise<PgBoss> {
  const boss = new PgBoss({
    Client: DatabaseClient,
    ...withoutUndefined(connection),
    application_name: 'afterword jobs',
    max: POOL,
    connectionTimeoutMillis: 5_000,
    options: '-c statement_timeout=15000 -c lock_timeout=10000',
    ...ON_EACH_CONNECTION,
    schema: SCHEMA,
    // `migrateJobs` does this as the owner; the product's role may not.
    migrate: false,
    createSchema: false,
    reindex: false,
    monitorVacuum: false,
    supervise: works,
    schedule: recurring === true,
    superviseIntervalSeconds: upkeep,
    monitorIntervalSeconds: upkeep,
    maintenanceIntervalSeconds: upkeep,
  });
  const warn = warnSeldom(log, 'the job queue failed');
  boss.on('error', (reported) => warn(thrownOf(reported)));
  boss.on('warning', ({ message }) => log.warn({ message }, 'the job queue reported a warning'));
  await boss.start();
  return boss;
}

/** Returns the error that was thrown. pg-boss reports that of a poll as a plain object, of which a log would only show the type. */
function thrownOf(reported: Error): Error {
  if (reported instanceof Error) return reported;
  const { message } = reported as Error;
  return Object.assign('severity' in reported ? new pg.DatabaseError(message, 0, 'error') : new Error(message), reported);
}

type PerformJob = (job: Job<never>) => Promise<void>;

/** Runs a job once and returns the result to store, which must not contain personal data. */
async function attempt(job: JobWithMetadata<never>, perform: PerformJob, log: JobsOptions['log']): Promise<JobResult> {
  const { id, name, data, retryCount, retryLimit, signal } = job;
  const isLast = retryCount >= retryLimit;
  try {
    await withCrashes(() => untilAborted(signal, () => perform({ data, isLast, signal })));
    return { id, status: 'completed' };
  } catch (error) {
    const cannotSucceed = error instanceof UnrecoverableJobError || error instanceof CrashError;
    const isOver = isLast || cannotSucceed;
    log[isOver ? 'error' : 'warn'](
      { err: error, job: name, jobId: id, tries: retryCount + 1 },
      isOver ? 'a job was given up' : 'a job failed',
    );
    return { id, status: cannotSucceed ? 'deadletter' : 'failed', output: errorForLog(error) };
  }
}

/** Saves the schedules of all policies and deletes any others. */
async function saveSchedules(boss: PgBoss, policies: JobPolicies, optionsOf: (name: string) => SendOptions): Promise<void> {
  for (const { name } of await boss.getSchedules()) {
    if (policies[name]?.schedule === undefined) await boss.unschedule(name);
  }
  for (const [name, { schedule }] of Object.entries(policies)) {
    if (schedule !== undefined) await boss.schedule(name, schedule, {}, { tz: 'UTC', ...optionsOf(name) });
  }
}

/** Returns the same id for the same key, unique among jobs of one name. */
function idFrom(name: string, key: string): string {
  const hash = sha256(`${name}\0${key}`).toString('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5');
}

const delay = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000).unref());

const withoutUndefined = <T extends object>(settings: T) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as { [K in keyof T]: Exclude<T[K], undefined> };
