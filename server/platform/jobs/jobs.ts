import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { type JobResult, type JobWithMetadata, PgBoss, type SendOptions } from 'pg-boss';
import { DatabaseClient } from '../database/client.ts';
import type { ConnectionSettings, Transaction } from '../database/database.ts';
import { errorForLog, warnSeldom } from '../log/log.ts';
import { CrashError, withCrashes } from './crashes.ts';
import { SCHEMA } from './schema.ts';
import { openSlots, type Slots } from './slots.ts';

/** The data of each kind of job, by its name. The product adds its own kinds where it lists them. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface JobData {}

/** How a kind of job is tried and kept. All times are in seconds. */
export interface JobPolicy {
  /** How often it is tried at most, the first time included. */
  readonly tries: number;
  /** The wait before the second try; it doubles from there on, with some chance in it, up to `longestWait`. */
  readonly firstWait: number;
  readonly longestWait: number;
  /** A try that takes longer counts as failed: its process may be dead. */
  readonly longestTry: number;
  /** How many a process works on at a time, where that is another number than for most kinds. */
  readonly atOnce?: number;
  /** How long a job is kept when it is done or given up. */
  readonly keep: number;
  /** When it recurs: minute, hour, day of the month, month, day of the week, all UTC. Left out where it is queued only. */
  readonly schedule?: string;
}

export type JobPolicies = Readonly<Record<string, JobPolicy>>;

export interface Jobs {
  /** Queues a job in the caller's transaction: it exists if and only if that commits. `key` makes a repeat no second job. */
  queue<Name extends keyof JobData>(db: Transaction, name: Name, data: JobData[Name], options?: QueueOptions): Promise<void>;
}

interface QueueOptions {
  /** Not before this moment. */
  readonly after?: Date;
  /** Names the job: while one of this name is waiting, worked on or kept, a repeat changes nothing. */
  readonly key?: string;
  /** What goes first where many of a kind wait: the higher. 0 where it is not said. */
  readonly priority?: number;
}

/** A job that is being worked on. It may run again after a crash, so its work must bear that. */
export interface Job<Data> {
  readonly data: Data;
  /** Whether this is the last try. */
  readonly isLast: boolean;
  /** Aborted when the try has taken too long, or the product stops and cannot wait. */
  readonly signal: AbortSignal;
}

/** What is done for each kind of job. A failure is tried again, but for `UnrecoverableJobError`. */
export type Work = { readonly [Name in keyof JobData]?: (job: Job<JobData[Name]>) => Promise<void> };

/** Thrown by a job when trying again cannot help: the job ends as failed. */
export class UnrecoverableJobError extends Error {}

/** The queue, and the work on it. */
export interface OpenJobs extends Jobs {
  /** Starts to work on these kinds of jobs, and keeps the schedules; nothing in a process that only queues. */
  work(work: Work): Promise<void>;
  /** Lets what is being worked on come to an end; what takes too long is left for another process. */
  stop(): Promise<void>;
}

interface JobsOptions {
  readonly connection: ConnectionSettings;
  readonly policies: JobPolicies;
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  /** Whether this process works on jobs, or only queues them. */
  readonly works: boolean;
  /** Whether this process queues what recurs when its time has come. */
  readonly recurring?: boolean | undefined;
  readonly timing?: Partial<Timing>;
}

/** Intervals and timeouts of the queue, in seconds. Tests use shorter ones. */
export interface Timing {
  /** Between two looks at the queue, one for each kind of job. */
  readonly poll: number;
  /** Between two rounds of upkeep: what timed out is tried again, what was kept long enough is wiped. */
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
const AT_ONCE = 5;
const POOL = 3;
/** Handed on to the driver: a connection that gives no answer, not even that a statement was ended, is given up (ms). */
const ON_EACH_CONNECTION = { query_timeout: 16_000, keepAlive: true };

export async function openJobs({ connection, policies, log, works, recurring = works, timing }: JobsOptions): Promise<OpenJobs> {
  const { poll, upkeep, stop, retry } = { ...TIMING, ...timing };
  const boss = new PgBoss({
    Client: DatabaseClient,
    ...withoutUndefined(connection),
    application_name: 'afterword jobs',
    max: POOL,
    connectionTimeoutMillis: 5_000,
    options: '-c statement_timeout=15000 -c lock_timeout=10000',
    ...ON_EACH_CONNECTION,
    schema: SCHEMA,
    // The owner does this before the product starts; the role that works here could not.
    migrate: false,
    createSchema: false,
    reindex: false,
    monitorVacuum: false,
    supervise: works,
    schedule: recurring,
    superviseIntervalSeconds: upkeep,
    monitorIntervalSeconds: upkeep,
    maintenanceIntervalSeconds: upkeep,
  });
  boss.on('error', warnSeldom(log, 'the queue cannot be worked on'));
  boss.on('warning', ({ message }) => log.warn({ message }, 'the queue warns'));
  await boss.start();
  const worked = new Map<string, Slots>();
  const looking = setInterval(() => {
    for (const slots of worked.values()) slots.look();
  }, poll * 1000);
  const running = new Set<Promise<JobResult>>();
  const optionsOf = (name: string): SendOptions => {
    const policy = policies[name];
    if (!policy) throw new Error(`There is no kind of job named ${name}`);
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
          ...{ boss, name, most: policies[name]?.atOnce ?? AT_ONCE, seldom: upkeep },
          // The queue's rows are written by `queue` only, which pairs each name with its data.
          perform: (job) => tracked(tried(job, perform as Perform, log)),
        });
        worked.set(name, slots);
        slots.look();
      }
      await keepSchedules(boss, policies, optionsOf);
    },
    async stop() {
      clearInterval(looking);
      for (const slots of worked.values()) slots.close();
      await Promise.race([Promise.all([...worked.keys()].map((name) => boss.offWork(name, { wait: true }))), delay(stop)]);
      // Gives back what is still worked on, and aborts it; then lets it notice.
      await boss.stop({ graceful: false, close: false });
      await Promise.race([Promise.all(running), delay(ABORT_TIMEOUT)]);
      await boss.stop({ graceful: false });
    },
  };

  function tracked(trial: Promise<JobResult>): Promise<JobResult> {
    running.add(trial);
    return trial.finally(() => running.delete(trial));
  }
}

type Perform = (job: Job<never>) => Promise<void>;

/** Runs a job once and returns what to store of it. A stored error must not contain personal data. */
async function tried(job: JobWithMetadata<never>, perform: Perform, log: JobsOptions['log']): Promise<JobResult> {
  const { id, name, data, retryCount, retryLimit, signal } = job;
  const isLast = retryCount >= retryLimit;
  try {
    await withCrashes(() => perform({ data, isLast, signal }));
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

/** The schedules are those of the table, also after one was taken out of it. */
async function keepSchedules(boss: PgBoss, policies: JobPolicies, optionsOf: (name: string) => SendOptions): Promise<void> {
  for (const { name } of await boss.getSchedules()) {
    if (policies[name]?.schedule === undefined) await boss.unschedule(name);
  }
  for (const [name, { schedule }] of Object.entries(policies)) {
    if (schedule !== undefined) await boss.schedule(name, schedule, {}, { tz: 'UTC', ...optionsOf(name) });
  }
}

/** The same key gives the same id, and the id is unique among jobs of a kind. */
function idFrom(name: string, key: string): string {
  const hash = createHash('sha256').update(`${name}\0${key}`).digest('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5');
}

const delay = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000).unref());

const withoutUndefined = <T extends object>(settings: T) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as { [K in keyof T]: Exclude<T[K], undefined> };
