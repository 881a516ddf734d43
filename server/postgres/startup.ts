import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Cluster } from './cluster.ts';
import { type Address, addressOf, chooseAddress, hasSettings } from './configuration.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { connectAndLock } from './lease.ts';
import { type Postmaster, runningPostmaster } from './lock-files.ts';
import { overcome } from './obstacle.ts';
import { type Running, startServer, stopServer } from './postmaster.ts';

/** A running server that is ours alone. */
export interface Hold {
  readonly address: Address;
  /** The postmaster's. */
  readonly pid: number;
  /** Holds the lock. */
  readonly client: pg.Client;
  /** Fulfilled when the connection has ended, from whichever side. */
  readonly lost: Promise<void>;
  isLost(): boolean;
  /** Waits until the stopped server is gone, if it was our child. */
  buried(): Promise<void>;
}

interface Wish {
  /** Where clients expect the server; undefined: anywhere. */
  readonly address?: Address;
  readonly signal: AbortSignal;
}

/** Ms for which a left-over server, or what is left of one, may stand in the way. */
const PATIENCE = 60_000;
/** Ms between two tries, doubled each time. */
const PAUSE = { first: 50, longest: 1_000 };

/** Adopts the server that runs on the folder, or starts one, whatever state the last one left the folder in. */
export async function takeHold(cluster: Cluster, wish: Wish): Promise<Hold> {
  const started: Circumstances['started'] = {};
  try {
    return await persist(cluster, { signal: wish.signal, attempt: () => attempt(cluster, { wish, started }) });
  } catch (error) {
    const running = await runningPostmaster(cluster.pgdata);
    if (running && running.pid === started.server?.pid && !isInUse(error)) await stopServer(cluster);
    throw error;
  }
}

/** The server belongs to another process then, and is left alone. */
const isInUse = (error: unknown): boolean => error instanceof EmbeddedPostgresError && error.code === 'in_use';

/** Stops the server, unless another process has it by now. */
export async function endHold(cluster: Cluster, hold: Hold): Promise<void> {
  if (!hold.isLost() || (await isStillOurs(cluster))) {
    await stopServer(cluster);
    await hold.buried();
  }
  await hold.client.end().catch(() => undefined);
}

/** The connection was lost, which does not mean that the server was. */
async function isStillOurs(cluster: Cluster): Promise<boolean> {
  const running = await runningPostmaster(cluster.pgdata);
  if (!running) return false;
  const again = await holdOf(cluster, running).catch(() => undefined);
  return again !== undefined && 'client' in again;
}

/** Gives back the hold, or what stands in its way; a server that is still recovering may take its time. */
type Attempt = () => Promise<Hold | { obstacle: string; patient?: boolean }>;

async function persist({ pgdata, log }: Cluster, { attempt, signal }: { attempt: Attempt; signal: AbortSignal }): Promise<Hold> {
  const until = Date.now() + PATIENCE;
  const told = new Set<string>();
  for (let pause = PAUSE.first; ; pause = Math.min(pause * 2, PAUSE.longest)) {
    signal.throwIfAborted();
    const result = await attempt();
    if ('client' in result) return result;
    const { obstacle, patient = false } = result;
    if (!patient && Date.now() > until)
      throw new EmbeddedPostgresError('start_timed_out', `PostgreSQL does not come up in ${pgdata}: ${obstacle}.`);
    if (!told.has(obstacle)) log.info({ obstacle }, `waiting for PostgreSQL: ${obstacle}`);
    told.add(obstacle);
    await sleep(pause, undefined, { signal });
  }
}

interface Circumstances {
  readonly wish: Wish;
  /** The server that we started, if it was us. */
  readonly started: { server?: Running };
}

async function attempt(cluster: Cluster, { wish, started }: Circumstances): ReturnType<Attempt> {
  const running = await runningPostmaster(cluster.pgdata);
  if (!running) return start(cluster, { wish, started });
  if (running.status !== 'ready')
    return { obstacle: `a server is ${running.status || 'starting'}`, patient: running.status === 'starting' };
  const hold = await holdOf(cluster, running);
  if ('obstacle' in hold) return hold;
  if (started.server?.pid === hold.pid) return { ...hold, buried: started.server.buried };
  if (await hasSettings(cluster, hold)) {
    cluster.log.info({ pid: hold.pid }, 'the PostgreSQL server that was left running is used on');
    return hold;
  }
  cluster.log.info({ pid: hold.pid }, 'a PostgreSQL server was left running with other settings; it is started anew');
  await stopServer(cluster);
  return start(cluster, { wish, started });
}

async function start(cluster: Cluster, { wish, started }: Circumstances): ReturnType<Attempt> {
  const address = wish.address ?? (await chooseAddress(cluster.pgdata));
  const result = await startServer(cluster, { address, signal: wish.signal });
  if ('said' in result) return { obstacle: await overcome(cluster, result.said) };
  started.server = result;
  return attempt(cluster, { wish, started });
}

async function holdOf(cluster: Cluster, running: Postmaster): Promise<Hold | { obstacle: string }> {
  const address = addressOf(cluster.pgdata, running);
  const client = await connectAndLock(cluster, address);
  if ('unanswered' in client) return { obstacle: `a server does not answer (${client.unanswered})` };
  let isLost = false;
  const lost = new Promise<void>((resolve) => client.once('end', resolve)).then(() => {
    isLost = true;
  });
  return { address, pid: running.pid, client, lost, isLost: () => isLost, buried: async () => undefined };
}
