import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { getRollbackPlans } from 'pg-boss';
import pgBoss from 'pg-boss/package.json' with { type: 'json' };
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../test/support/postgres/database.ts';
import { JOBS } from '../../jobs.ts';
import { inBatches } from '../database/batches.ts';
import { DatabaseClient } from '../database/client.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { DatabaseError } from '../database/migrations.ts';
import { createLog } from '../log/log.ts';
import { NAMES_DUE } from './due.ts';
import {
  type Job,
  type JobData,
  type JobPolicies,
  type JobPolicy,
  type OpenJobs,
  openJobs,
  type Timing,
  UnrecoverableJobError,
  type Work,
} from './jobs.ts';

type MailJob = JobData['mail.send'];

const FAST_TIMING: Partial<Timing> = {
  poll: 0.5,
  upkeep: 1,
  stop: 1,
  retry: () => ({ retryLimit: 2, retryDelay: 0, retryBackoff: false }),
};

let clone: TestDatabase;
let database: Database;
let log: string[];
let opened: OpenJobs[];

beforeEach(async () => {
  clone = await cloneDatabase();
  database = openDatabase({ connection: clone.app, onError: () => undefined });
  log = [];
  opened = [];
});

afterEach(async () => {
  await Promise.all(opened.map((jobs) => jobs.stop()));
  await database.stop();
  await clone.drop();
});

/** Opens the queue as a separate process would. */
async function openProcess(work?: Work, timing: Partial<Timing> = FAST_TIMING, policies: JobPolicies = JOBS): Promise<OpenJobs> {
  // Of this test, because a process that stops may log after it.
  const lines = log;
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const jobs = await openJobs({ connection: clone.app, policies, log: logger, works: work !== undefined, timing });
  opened.push(jobs);
  if (work) await jobs.work(work);
  return jobs;
}

const mail = (deliveryId: string): MailJob => ({ deliveryId, mail: 'address-code', props: { code: '' } });
const queue = (jobs: OpenJobs, id: string, options?: Parameters<OpenJobs['queue']>[3]): Promise<void> =>
  database.transaction({}, (db) => jobs.queue(db, 'mail.send', mail(id), options));

const states = async (): Promise<string[]> =>
  (await clone.stored<{ state: string }>(`select state from pgboss.job where name = 'mail.send' order by created_on`)).map(
    ({ state }) => state,
  );

const spawnWorker = () =>
  spawn(process.execPath, [path.resolve(import.meta.dirname, '../../../test/support/crashing-job.ts'), JSON.stringify(clone.app)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** The query for the names of due jobs. */
const LOOKS_FOR_DUE = /from unnest\(\$1::text\[\]\) as names/;

/** Runs a worker process until it ends, and returns the jobs that it started. */
async function runWorker(): Promise<string[]> {
  const worker = spawnWorker();
  const [output] = await Promise.all([text(worker.stdout), once(worker, 'exit')]);
  return output.split('\n').filter((line) => line !== '');
}

describe('queueing', () => {
  it('adds no job if the transaction rolls back', async () => {
    const doneIds: string[] = [];
    const jobs = await openProcess({ 'mail.send': async ({ data }) => void doneIds.push(data.deliveryId) });
    const rolledBack = database.transaction({}, async (db) => {
      await jobs.queue(db, 'mail.send', mail('lost'));
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await queue(jobs, 'committed');
    await expect.poll(() => doneIds).toEqual(['committed']);
    expect(await states()).toHaveLength(1);
  });

  it('uses the transaction’s connection, so others see the job only after the commit', async () => {
    const jobs = await openProcess();
    await database.transaction({}, async (db) => {
      await jobs.queue(db, 'mail.send', mail('one'));
      expect(await states()).toEqual([]);
    });
    expect(await states()).toEqual(['created']);
  });

  it('adds one job per key, in one transaction, in the next and concurrently', async () => {
    const jobs = await openProcess();
    await database.transaction({}, async (db) => {
      await jobs.queue(db, 'mail.send', mail('a'), { key: 'week 12' });
      await jobs.queue(db, 'mail.send', mail('b'), { key: 'week 12' });
    });
    await Promise.all(['c', 'd', 'e'].map((id) => queue(jobs, id, { key: 'week 12' })));
    await Promise.all(['f', 'g'].map((id) => queue(jobs, id, { key: 'week 13' })));
    expect(await states()).toEqual(['created', 'created']);
  });

  it('runs jobs of a higher priority first', async () => {
    const jobs = await openProcess();
    for (let each = 1; each <= 10; each += 1) await queue(jobs, `report-${each}`);
    await queue(jobs, 'alert', { priority: 2 });
    await queue(jobs, 'code', { priority: 3 });
    const started: string[] = [];
    await openProcess({ 'mail.send': async ({ data }) => void started.push(data.deliveryId) });
    await expect.poll(() => started.length).toBe(12);
    expect(started[0]).toBe('code');
    // Other slots may have started lower-priority jobs at the same time.
    expect(started.slice(0, 6)).toContain('alert');
  });

  it('starts a job no earlier than requested', async () => {
    const doneIds: string[] = [];
    const jobs = await openProcess({ 'mail.send': async ({ data }) => void doneIds.push(data.deliveryId) });
    const after = new Date(Date.now() + 60_000);
    await queue(jobs, 'later', { after });
    await queue(jobs, 'now');
    await expect.poll(() => doneIds).toEqual(['now']);
    expect(await clone.stored('select start_after from pgboss.job where start_after > now()')).toEqual([{ start_after: after }]);
  });
});

describe('working', () => {
  it('retries a failed job, and marks the last attempt', async () => {
    const tries: boolean[] = [];
    const work = async ({ isLast }: Job<MailJob>) => {
      tries.push(isLast);
      throw new Error('not today');
    };
    await queue(await openProcess({ 'mail.send': work }), 'hopeless');
    await expect.poll(() => states()).toEqual(['failed']);
    expect(tries).toEqual([false, false, true]);
    expect(log.join('')).toContain('a job was given up');
  });

  it('does not retry after an unrecoverable error', async () => {
    let tries = 0;
    const work = async () => {
      tries += 1;
      throw new UnrecoverableJobError('never');
    };
    await queue(await openProcess({ 'mail.send': work }), 'refused');
    await expect.poll(() => states()).toEqual(['failed']);
    expect(tries).toBe(1);
  });

  it('fails one job without affecting the others', async () => {
    const doneIds: string[] = [];
    const jobs = await openProcess({
      'mail.send': async ({ data }) => {
        if (data.deliveryId === 'bad') throw new UnrecoverableJobError('never');
        doneIds.push(data.deliveryId);
      },
    });
    await database.transaction({}, async (db) => {
      for (const id of ['a', 'bad', 'b']) await jobs.queue(db, 'mail.send', mail(id));
    });
    await expect.poll(async () => (await states()).sort()).toEqual(['completed', 'completed', 'failed']);
    expect(doneIds.sort()).toEqual(['a', 'b']);
  });

  it('runs each job once if several processes share the queue', async () => {
    const doneJobs: [process: number, id: string][] = [];
    const processes = () => new Set(doneJobs.map(([process]) => process)).size;
    let release: () => void = () => undefined;
    const isShared = new Promise<void>((resolve) => (release = resolve));
    const workOf = (process: number): Work => ({
      'mail.send': async ({ data }) => {
        doneJobs.push([process, data.deliveryId]);
        if (processes() > 1) release();
        await isShared;
      },
    });
    const [first] = await Promise.all([openProcess(workOf(0)), openProcess(workOf(1)), openProcess(workOf(2))]);
    const ids = Array.from({ length: 60 }, (_, index) => `mail-${index}`);
    await database.transaction({}, async (db) => {
      for (const id of ids) await (first as OpenJobs).queue(db, 'mail.send', mail(id));
    });
    await expect.poll(async () => (await states()).every((state) => state === 'completed')).toBe(true);
    expect(doneJobs.map(([, id]) => id).sort()).toEqual([...ids].sort());
    expect(processes()).toBeGreaterThan(1);
  });

  it('keeps running jobs in the remaining slot while slow jobs occupy the others', async () => {
    const doneIds: string[] = [];
    const releases: (() => void)[] = [];
    const jobs = await openProcess({
      'mail.send': async ({ data }) => {
        if (data.deliveryId.startsWith('slow')) await new Promise<void>((resolve) => releases.push(resolve));
        doneIds.push(data.deliveryId);
      },
    });
    const slow = ['slow-1', 'slow-2', 'slow-3', 'slow-4'];
    const quick = Array.from({ length: 20 }, (_, index) => `quick-${index}`);
    await database.transaction({}, async (db) => {
      for (const id of [...slow, ...quick]) await jobs.queue(db, 'mail.send', mail(id));
    });
    await expect.poll(() => doneIds.toSorted()).toEqual(quick.toSorted());
    expect(releases).toHaveLength(4);
    for (const release of releases) release();
    await expect.poll(async () => (await states()).every((state) => state === 'completed')).toBe(true);
  });

  it('runs the next job after others time out', async () => {
    const doneIds: string[] = [];
    const timing = { ...FAST_TIMING, upkeep: 60, retry: () => ({ retryLimit: 0 }) };
    const policies = { ...JOBS, 'mail.send': { ...JOBS['mail.send'], longestTry: 1 } };
    const work = async ({ data }: Job<MailJob>) => {
      if (data.deliveryId.startsWith('endless')) await new Promise(() => undefined);
      doneIds.push(data.deliveryId);
    };
    const jobs = await openProcess({ 'mail.send': work }, timing, policies);
    await database.transaction({}, async (db) => {
      for (const id of ['1', '2', '3', '4', '5'].map((each) => `endless-${each}`)) await jobs.queue(db, 'mail.send', mail(id));
    });
    await queue(jobs, 'next');
    await expect.poll(() => doneIds).toEqual(['next']);
  });

  it('ends the batches of a job that takes too long, and lets it store why', async () => {
    const timing = { ...FAST_TIMING, retry: () => ({ retryLimit: 0 }) };
    const policies = { ...JOBS, 'mail.send': { ...JOBS['mail.send'], longestTry: 1 } };
    let batches = 0;
    const ends: unknown[] = [];
    const runBatch = () =>
      database.transaction({}, async () => {
        batches += 1;
        return 1;
      });
    const storeWhy = (error: unknown) => database.transaction({}, async () => void ends.push(error));
    const jobs = await openProcess({ 'mail.send': () => inBatches(runBatch).catch(storeWhy) }, timing, policies);
    await queue(jobs, 'endless');
    await expect.poll(() => ends).toHaveLength(1);
    expect(batches).toBeGreaterThan(10);
  });

  it('makes one query per poll for all names, even after five jobs of one ran at once', async () => {
    const doneIds: string[] = [];
    const releases: (() => void)[] = [];
    const work = async ({ data }: Job<MailJob>) => {
      if (data.deliveryId.startsWith('slow')) await new Promise<void>((resolve) => releases.push(resolve));
      doneIds.push(data.deliveryId);
    };
    const jobs = await openProcess({ 'mail.send': work, 'push.send': async () => undefined }, { ...FAST_TIMING, upkeep: 60 });
    for (const id of ['slow-1', 'slow-2', 'slow-3', 'slow-4', 'slow-5']) await queue(jobs, id);
    await expect.poll(() => releases.length).toBe(5);
    for (const release of releases) release();
    await expect.poll(() => states()).toEqual(Array(5).fill('completed'));
    const queries = vi.spyOn(DatabaseClient.prototype, 'query');
    const count = (pattern: RegExp): number => queries.mock.calls.filter(([text]) => pattern.test(String(text))).length;
    try {
      await expect.poll(() => count(LOOKS_FOR_DUE)).toBeGreaterThan(10);
      // Each of the five slots fetches once more after its job.
      expect(count(/'(?:mail|push)\.send'.*SKIP LOCKED/s)).toBeLessThanOrEqual(5);
    } finally {
      queries.mockRestore();
    }
    await queue(jobs, 'later');
    await expect.poll(() => doneIds.at(-1)).toBe('later');
  });

  it('finds the due names without reading all jobs that wait', async () => {
    await clone.stored(`insert into pgboss.job (name, state, data) select 'mail.send', 'created', '{}' from generate_series(1, 60000)`);
    await clone.stored('analyze pgboss.job_common');
    const explained = await clone.stored<{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }] }>(
      `explain (analyze, buffers, format json) ${NAMES_DUE}`,
      [Object.keys(JOBS)],
    );
    const plan = explained[0]?.['QUERY PLAN'][0].Plan;
    expect(plan && plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(200);
  });

  it('fails a job that crashes the process, before the process ends', async () => {
    const jobs = await openProcess();
    await queue(jobs, 'crashes', { priority: 1 });
    expect(await runWorker()).toEqual(['crashes']);
    expect(await states()).toEqual(['failed']);
    await queue(jobs, 'harmless');
    const worker = spawnWorker();
    await expect.poll(states).toEqual(['failed', 'completed']);
    worker.kill('SIGKILL');
  });

  it('runs no job in a process that only queues, so another process runs it', async () => {
    const runBy: string[] = [];
    const queueOnly = await openProcess();
    await queue(queueOnly, 'waiting');
    await queueOnly.work({ 'mail.send': async () => void runBy.push('the process that only queues') });
    await openProcess({ 'mail.send': async () => void runBy.push('a worker') });
    await expect.poll(states).toEqual(['completed']);
    expect(runBy).toEqual(['a worker']);
  });
});

describe('stopping', () => {
  it('waits until a running job has ended', async () => {
    const steps: string[] = [];
    let finish: () => void = () => undefined;
    const work = async () => {
      steps.push('started');
      await new Promise<void>((resolve) => (finish = resolve));
      steps.push('ended');
    };
    const jobs = await openProcess({ 'mail.send': work }, { ...FAST_TIMING, stop: 60 });
    await queue(jobs, 'slow');
    await expect.poll(() => steps).toEqual(['started']);
    const stopped = jobs.stop().then(() => steps.push('stopped'));
    expect(await states()).toEqual(['active']);
    finish();
    await stopped;
    expect(steps).toEqual(['started', 'ended', 'stopped']);
    expect(await states()).toEqual(['completed']);
  });

  it('aborts a job that takes too long and returns it to the queue', async () => {
    let wasAborted = false;
    let started = false;
    const jobs = await openProcess({
      'mail.send': ({ signal }) => {
        started = true;
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            wasAborted = true;
            reject(new Error('aborted'));
          });
        });
      },
    });
    await queue(jobs, 'endless');
    await expect.poll(() => started).toBe(true);
    await jobs.stop();
    expect(wasAborted).toBe(true);
    expect(await states()).toEqual(['retry']);
  });
});

describe('upkeep', () => {
  it('deletes completed jobs and their codes within minutes, with the rights of the product’s role', async () => {
    const jobs = await openProcess({ 'mail.send': async () => undefined });
    await queue(jobs, 'done');
    await expect.poll(() => states()).toEqual(['completed']);
    await clone.stored(`update pgboss.job set completed_on = completed_on - interval '2 minutes' where name = 'mail.send'`);
    await expect.poll(() => states()).toEqual([]);
    expect(log).toEqual([]);
  });

  it.each([
    ['job', 'due jobs could not be started'],
    ['job_common', 'the job queue failed'],
  ])('logs why it can’t read the table %s', async (table, message) => {
    const lines: string[] = [];
    const logger = createLog({ logLevel: 'warn' }, { write: (line) => void lines.push(line) });
    const jobs = await openJobs({ connection: clone.app, policies: JOBS, log: logger, works: true, timing: FAST_TIMING });
    opened.push(jobs);
    await clone.stored(`revoke all on pgboss.${table} from afterword_app`);
    await jobs.work({ 'mail.send': async () => undefined });
    await expect.poll(() => lines.join('')).toContain(message);
    expect(lines.find((line) => line.includes(message))).toContain('"err":{"type":"DatabaseError","code":"42501"');
  });

  it('retries the jobs of a dead process', async () => {
    await queue(await openProcess(), 'orphan');
    await clone.stored(`update pgboss.job set state = 'active', started_on = now() - interval '10 minutes' where name = 'mail.send'`);
    const doneIds: string[] = [];
    await openProcess({ 'mail.send': async ({ data }) => void doneIds.push(data.deliveryId) });
    await expect.poll(() => doneIds, { timeout: 4_500 }).toEqual(['orphan']);
  });

  it('saves the declared schedules and deletes others', async () => {
    await clone.stored(`select pgboss.create_queue('old.job', '{"policy": "standard"}')`);
    await clone.stored(`insert into pgboss.schedule (name, cron) values ('old.job', '* * * * *')`);
    await openProcess({});
    const schedules = await clone.stored<{ name: string; cron: string }>('select name, cron from pgboss.schedule');
    expect(Object.fromEntries(schedules.map(({ name, cron }) => [name, cron]))).toEqual(
      Object.fromEntries(Object.entries<JobPolicy>(JOBS).flatMap(([name, { schedule }]) => (schedule ? [[name, schedule]] : []))),
    );
  });
});

describe('the queue’s schema', () => {
  it('cannot be changed by the product’s role', async () => {
    const client = new pg.Client(clone.app);
    await client.connect();
    try {
      for (const forbidden of [
        'create table pgboss.mine (id integer)',
        'drop table pgboss.job',
        'alter table pgboss.queue add column mine text',
        'truncate pgboss.job',
        'delete from pgboss.queue',
        'insert into pgboss.version (version) values (99)',
        'create schema mine',
      ]) {
        await expect(client.query(forbidden), forbidden).rejects.toMatchObject({ code: '42501' });
      }
    } finally {
      await client.end();
    }
  });

  it('cannot be read by the public form’s role', async () => {
    await expect(database.intake({ text: 'select * from pgboss.job' })).rejects.toMatchObject({ code: '42501' });
  });

  it('is upgraded once, even if several processes migrate', async () => {
    await clone.stored(getRollbackPlans('pgboss', pgBoss.pgboss.schema));
    expect(await clone.stored('select version from pgboss.version')).toEqual([{ version: pgBoss.pgboss.schema - 1 }]);
    await Promise.all([1, 2, 3].map(() => migrate({ owner: clone.owner, jobs: Object.keys(JOBS), allowVolatile: true })));
    expect(await clone.stored('select version from pgboss.version')).toEqual([{ version: pgBoss.pgboss.schema }]);
    expect(await clone.stored(`select to_regclass('pgboss.job_common_i12') is not null as built`)).toEqual([{ built: true }]);
    const doneIds: string[] = [];
    await queue(await openProcess({ 'mail.send': async ({ data }) => void doneIds.push(data.deliveryId) }), 'after');
    await expect.poll(() => doneIds).toEqual(['after']);
  });

  it('refuses to migrate if it is newer', async () => {
    await clone.stored('update pgboss.version set version = version + 1');
    await expect(migrate({ owner: clone.owner, jobs: Object.keys(JOBS), allowVolatile: true })).rejects.toThrow(DatabaseError);
  });
});
