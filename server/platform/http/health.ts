import { randomInt, timingSafeEqual } from 'node:crypto';
import { setTimeout as delayed } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { refusal } from '#contract/core/errors.ts';
import type { Config } from '../config/config.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { Figures } from '../figures.ts';
import { logFailures } from '../log/output.ts';
import { isLocal } from './local-networks.ts';

interface HealthOptions {
  readonly config: Pick<Config, 'metricsToken' | 'trustedProxies'>;
  readonly database: Database;
  /** Throw while the process cannot do its work. */
  readonly checks: readonly (() => Promise<void>)[];
  /** Each read by itself. */
  readonly figures: readonly Figures[];
}

/** `/health/live` says that the process answers, `/health/ready` that it can work, `/metrics` how it fares. */
export function addHealth(http: FastifyInstance, { config, database, checks, figures }: HealthOptions): void {
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
  addMetrics(http, { config, figures });
}

/** How long an answer of readiness is good for (ms): whoever asks in a loop does not write in a loop. */
const RECHECK = 1_000;
/** Processes that share a database rarely write the same row. */
const SLOTS = 64;
/** What a visitor's submission needs: a role, a disk that takes something, a server that is no standby. */
const writeHeartbeat = {
  name: 'heartbeat',
  text: 'insert into heartbeat (slot, at) values ($1, now()) on conflict (slot) do update set at = excluded.at',
  values: [randomInt(SLOTS)],
};

/**
 * Sorts more than the smallest `work_mem` holds, so that PostgreSQL writes a temporary file: on a full disk a heartbeat still fits into
 * its page, and a submission that needs a new page does not.
 */
async function spill({ $client: client }: Transaction): Promise<void> {
  await client.query(
    "set local work_mem = '64kB'; select count(*) from (select n from generate_series(1, 10000) n order by -n offset 0) sorted",
  );
}

/** Runs `work`, one at a time; whoever asks meanwhile or within `ms` after gets the same outcome. */
function atMostEvery<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let latest: Promise<T> | undefined;
  return () => {
    latest ??= work().finally(() => setTimeout(() => (latest = undefined), ms).unref());
    return latest;
  };
}

function addMetrics(http: FastifyInstance, { config, figures }: Pick<HealthOptions, 'config' | 'figures'>): void {
  const register = new Registry();
  collectDefaultMetrics({ register });
  for (const some of [...figures, logFigures]) addGauges(register, some);
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took, by route, operation and status.',
    labelNames: ['route', 'operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [register],
  });
  http.addHook('onResponse', async (request, reply) => {
    const { url: route = 'unknown' } = request.routeOptions;
    durations.observe({ route, operation: request.trace.operation ?? '', status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  http.get('/metrics', async (request, reply) => {
    // Behind a proxy every request comes from this machine, so the socket proves nothing there.
    const isHere = isLocal(request);
    if (!isHere && !isToken(config.metricsToken, request.headers.authorization)) throw refusal('not-found');
    return reply
      .type(register.contentType)
      .header('cache-control', 'no-store')
      .send(await register.metrics());
  });
}

const logFigures: Figures = {
  help: { afterword_log_failures: 'How often this process could not write to its log.' },
  read: async () => ({ afterword_log_failures: logFailures() }),
};

/** Read once for all of them. What cannot be read within a moment is no number, and keeps nothing else from being told. */
function addGauges(register: Registry, { help, labels = {}, read }: Figures): void {
  const none: Awaited<ReturnType<Figures['read']>> = {};
  const readTogether = atMostEvery(RECHECK, () => Promise.race([read(), delayed(LONGEST_READ, none, { ref: false })]).catch(() => none));
  for (const [name, said] of Object.entries(help))
    new Gauge({
      name,
      help: said,
      labelNames: labels[name] ?? [],
      registers: [register],
      async collect() {
        const told = (await readTogether())[name] ?? (labels[name] ? [] : Number.NaN);
        this.reset();
        if (typeof told === 'number') this.set(told);
        else for (const each of told) this.set(each.labels, each.value);
      },
    });
}

/** Sooner than whoever collects metrics gives up (ms). */
const LONGEST_READ = 3_000;

function isToken(token: string | undefined, authorization = ''): boolean {
  const expected = Buffer.from(`Bearer ${token}`);
  const given = Buffer.from(authorization);
  return token !== undefined && expected.length === given.length && timingSafeEqual(expected, given);
}
