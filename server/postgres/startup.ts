import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { type Address, chooseAddress, hasSettings } from './configuration.ts';
import { EmbeddedPostgresError, programFailed } from './errors.ts';
import { type Lease, takeLease } from './lease.ts';
import { orphansIn, removeStaleLockFiles, runningPostmaster } from './lock-files.ts';
import { type StartedPostmaster, startPostmaster, stopPostmaster } from './postmaster.ts';

interface StartupOptions {
  /** The address clients expect the server at, if any. */
  readonly address?: Address;
  readonly signal: AbortSignal;
}

/** Ms for which the remains of a previous server may keep the next one from starting. @limit embedded-start */
const START_TIMEOUT = 60_000;
/** Ms between retries, doubled each time. */
const PAUSE = { first: 50, longest: 1_000 };

/** Adopts the server running on the data directory, or starts one after clearing up any remains of the last one. */
export async function adoptOrStart(cluster: Cluster, options: StartupOptions): Promise<Lease> {
  const started: StartedServer = {};
  try {
    return await retry(cluster, { signal: options.signal, once: () => attempt(cluster, { ...options, started }) });
  } catch (error) {
    const running = await runningPostmaster(cluster.pgdata);
    if (running && running.pid === started.server?.pid && !isInUse(error)) await stopPostmaster(cluster);
    throw error;
  }
}

/** Returns whether another process uses the server, which must then keep running. */
const isInUse = (error: unknown): boolean => error instanceof EmbeddedPostgresError && error.code === 'in_use';

/** The server this process has started, if any. */
interface StartedServer {
  server?: StartedPostmaster;
}

/** The reason there is no lease yet. */
interface PendingStart {
  readonly reason: string;
  /** True during a recovery after a crash, which has no time limit. */
  readonly isRecovering?: boolean;
}

type Attempt = Promise<Lease | PendingStart>;

async function retry({ pgdata, log }: Cluster, { once, signal }: { once: () => Attempt; signal: AbortSignal }): Promise<Lease> {
  const deadline = Date.now() + START_TIMEOUT;
  const loggedReasons = new Set<string>();
  for (let pause = PAUSE.first; ; pause = Math.min(pause * 2, PAUSE.longest)) {
    signal.throwIfAborted();
    const result = await once();
    if ('client' in result) return result;
    const { reason, isRecovering = false } = result;
    if (!isRecovering && Date.now() > deadline)
      throw new EmbeddedPostgresError('start_timed_out', `PostgreSQL didn’t start in ${pgdata}: ${reason}.`);
    if (!loggedReasons.has(reason)) log.info({ reason }, `waiting for PostgreSQL: ${reason}`);
    loggedReasons.add(reason);
    await sleep(pause, undefined, { signal });
  }
}

interface Start extends StartupOptions {
  readonly started: StartedServer;
}

async function attempt(cluster: Cluster, start: Start): Attempt {
  const { started } = start;
  const running = await runningPostmaster(cluster.pgdata);
  if (!running) return startNew(cluster, start);
  if (running.status !== 'ready')
    return { reason: `a server is ${running.status || 'starting'}`, isRecovering: running.status === 'starting' };
  const lease = await takeLease(cluster, running);
  if ('unanswered' in lease) return { reason: `a server doesn’t respond (${lease.unanswered})` };
  if (started.server?.pid === lease.pid) return { ...lease, exited: started.server.exited };
  if (await hasSettings(cluster, lease)) {
    cluster.log.info({ pid: lease.pid }, 'using the PostgreSQL server that was left running');
    return lease;
  }
  cluster.log.info({ pid: lease.pid }, 'restarting the PostgreSQL server that was left running with other settings');
  await stopPostmaster(cluster);
  return startNew(cluster, start);
}

async function startNew(cluster: Cluster, start: Start): Attempt {
  const address = start.address ?? (await chooseAddress(cluster.pgdata));
  const result = await startPostmaster(cluster, { address, signal: start.signal });
  if ('output' in result) return { reason: await clearCause(cluster, result.output) };
  start.started.server = result;
  return attempt(cluster, start);
}

interface Cause {
  /** Matches PostgreSQL's message, which is English because `lc_messages` is C. */
  readonly output: RegExp;
  readonly reason: string;
  clear?(cluster: Cluster): Promise<void>;
}

/** Causes of a failed start that a retry may fix. */
const CAUSES: readonly Cause[] = [
  { output: /pre-existing shared memory block/, reason: 'parts of the last server are still running', clear: quitOrphans },
  { output: /lock file ".*" (?:already exists|is empty)/, reason: 'the last server left its lock file', clear: clearLockFiles },
  { output: /could not bind /, reason: 'its address is in use' },
];

/** Clears the cause of a failed start and returns its reason; throws if a retry can't help. */
async function clearCause(cluster: Cluster, output: string): Promise<string> {
  const cause = CAUSES.find((candidate) => candidate.output.test(output));
  if (!cause) throw await programFailed('postgres', cluster, output);
  await cause.clear?.(cluster);
  return cause.reason;
}

/** Ends processes of a dead server. They would exit later anyway, and their work is lost either way. */
async function quitOrphans({ pgdata, log }: Cluster): Promise<void> {
  for (const pid of await orphansIn(pgdata)) {
    log.warn({ pid }, 'ending a process of the last PostgreSQL server');
    try {
      process.kill(pid, 'SIGQUIT');
    } catch {
      // It has already exited.
    }
  }
}

async function clearLockFiles({ pgdata }: Cluster): Promise<void> {
  if (!(await runningPostmaster(pgdata))) await removeStaleLockFiles(pgdata);
}
