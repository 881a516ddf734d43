import { randomInt, timingSafeEqual } from 'node:crypto';
import { setTimeout as delayed } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { refusal } from '#contract/core/errors.ts';
import type { Config } from '../config/config.ts';
import type { Database, Transaction } from '../database/database.ts';
import { logFailures } from '../log/output.ts';
import type { MetricGroup } from '../metrics.ts';
import { isLocal } from './local-networks.ts';

interface HealthOptions {
  readonly config: Pick<Config, 'metricsToken' | 'trustedProxies'>;
  readonly database: Database;
  /** Each throws while the process can't do its work. */
  readonly checks: readonly (() => Promise<void>)[];
  /** Each is read separately. */
  readonly metrics: readonly MetricGroup[];
}

/** Adds `/health/live` for whether the process responds, `/health/ready` for whether it can work, and `/metrics`. */
export function addHealth(http: FastifyInstance, { config, database, checks, metrics }: HealthOptions): void {
  http.get('/health/live', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  const checkReady = atMostEvery(RECHECK, () =>
    Promise.all([database.intake(writeHeartbeat), database.transaction({}, spill), ...checks.map((check) => check())]),
  );
  http.get('/health/ready', async (_request, reply) => {
    await checkReady().catch((cause: unknown) => {
      throw Object.assign(refusal('database-away', { retryAfter: 2 }), { cause });
    });
    return reply.header('cache-control', 'no-store').send({ status: 'ok' });
  });
  addMetrics(http, { config, metrics });
}

/** How long a result of the readiness check is reused (ms), so that frequent requests don't cause frequent writes. */
const RECHECK = 1_000;
/** Many rows, so that processes sharing a database rarely write the same one. */
const SLOTS = 64;
/** Needs what a visitor's submission needs: the role, a writable disk, and a primary server. */
const writeHeartbeat = {
  name: 'heartbeat',
  text: 'insert into heartbeat (slot, at) values ($1, now()) on conflict (slot) do update set at = excluded.at',
  values: [randomInt(SLOTS)],
};

/**
 * Sorts more than the smallest `work_mem` holds, so that PostgreSQL writes a temporary file. On a full disk this fails, as a submission
 * that needs a new page does, while a heartbeat still fits into its existing page.
 */
async function spill({ $client: client }: Transaction): Promise<void> {
  await client.query(
    "set local work_mem = '64kB'; select count(*) from (select n from generate_series(1, 10000) n order by -n offset 0) sorted",
  );
}

/** Returns a function that runs `work`, and returns the same result to calls during it and within `ms` after it. */
function atMostEvery<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let latest: Promise<T> | undefined;
  return () => {
    latest ??= work().finally(() => setTimeout(() => (latest = undefined), ms).unref());
    return latest;
  };
}

function addMetrics(http: FastifyInstance, { config, metrics }: Pick<HealthOptions, 'config' | 'metrics'>): void {
  const register = new Registry();
  collectDefaultMetrics({ register });
  for (const group of [...metrics, logMetrics]) addGauges(register, group);
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took, by route, operation and status.',
    labelNames: ['route', 'operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [register],
  });
  http.addHook('onResponse', (request, reply, done) => {
    const { url: route = 'unknown' } = request.routeOptions;
    durations.observe({ route, operation: request.trace.operation ?? '', status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
  http.get('/metrics', async (request, reply) => {
    if (!isLocal(request) && !isToken(config.metricsToken, request.headers.authorization)) throw refusal('not-found');
    return reply
      .type(register.contentType)
      .header('cache-control', 'no-store')
      .send(await register.metrics());
  });
}

const logMetrics: MetricGroup = {
  help: { afterword_log_failures: 'How often this process could not write to its log.' },
  read: async () => ({ afterword_log_failures: logFailures() }),
};

/** Adds gauges that are read together. Those that can't be read in time are NaN, so that the others are still shown. */
function addGauges(register: Registry, { help, labels = {}, read }: MetricGroup): void {
  const noValues: Awaited<ReturnType<MetricGroup['read']>> = {};
  const readTogether = atMostEvery(RECHECK, () =>
    Promise.race([read(), delayed(LONGEST_READ, noValues, { ref: false })]).catch(() => noValues),
  );
  for (const [name, description] of Object.entries(help))
    new Gauge({
      name,
      help: description,
      labelNames: labels[name] ?? [],
      registers: [register],
      async collect() {
        const values = (await readTogether())[name] ?? (labels[name] ? [] : Number.NaN);
        this.reset();
        if (typeof values === 'number') this.set(values);
        else for (const each of values) this.set(each.labels, each.value);
      },
    });
}

/** Time limit for reading (ms), shorter than a metrics collector's timeout. */
const LONGEST_READ = 3_000;

function isToken(token: string | undefined, authorization = ''): boolean {
  const expected = Buffer.from(`Bearer ${token}`);
  const received = Buffer.from(authorization);
  return token !== undefined && expected.length === received.length && timingSafeEqual(expected, received);
}
