import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { type Address, chooseAddress, hasSettings } from './configuration.ts';
import { EmbeddedPostgresError, programFailed } from './errors.ts';
import { type Lease, takeLease } from './lease.ts';
import { orphansIn, removeStaleLockFiles, runningPostmaster } from './lock-files.ts';
import { type StartedPostmaster, startPostmaster, stopPostmaster } from './postmaster.ts';

interface StartupOptions {
  /** Where clients expect the server; undefined: anywhere. */
  readonly address?: Address;
  readonly signal: AbortSignal;
}

/** Ms for which a stale server, or what is left of one, may keep the next from starting. */
const START_TIMEOUT = 60_000;
/** Ms between two tries, doubled each time. */
const PAUSE = { first: 50, longest: 1_000 };

/** Adopts the server that runs on the data directory, or starts one, whatever state the last one left it in. */
export async function adoptOrStart(cluster: Cluster, wanted: StartupOptions): Promise<Lease> {
  const own: OwnServer = {};
  try {
    return await retry(cluster, { signal: wanted.signal, once: () => attempt(cluster, { ...wanted, own }) });
  } catch (error) {
    const running = await runningPostmaster(cluster.pgdata);
    if (running && running.pid === own.server?.pid && !isInUse(error)) await stopPostmaster(cluster);
    throw error;
  }
}

/** Whether another process uses the server, which is then left alone. */
const isInUse = (error: unknown): boolean => error instanceof EmbeddedPostgresError && error.code === 'in_use';

/** The server that this process has started, if it has. */
interface OwnServer {
  server?: StartedPostmaster;
}

/** Why there is no lease yet. */
interface Pending {
  readonly reason: string;
  /** A recovery after a crash takes as long as it takes. */
  readonly isRecovering?: boolean;
}

type Attempt = Promise<Lease | Pending>;

async function retry({ pgdata, log }: Cluster, { once, signal }: { once: () => Attempt; signal: AbortSignal }): Promise<Lease> {
  const deadline = Date.now() + START_TIMEOUT;
  const loggedReasons = new Set<string>();
  for (let pause = PAUSE.first; ; pause = Math.min(pause * 2, PAUSE.longest)) {
    signal.throwIfAborted();
    const result = await once();
    if ('client' in result) return result;
    const { reason, isRecovering = false } = result;
    if (!isRecovering && Date.now() > deadline)
      throw new EmbeddedPostgresError('start_timed_out', `PostgreSQL does not come up in ${pgdata}: ${reason}.`);
    if (!loggedReasons.has(reason)) log.info({ reason }, `waiting for PostgreSQL: ${reason}`);
    loggedReasons.add(reason);
    await sleep(pause, undefined, { signal });
  }
}

interface Start extends StartupOptions {
  readonly own: OwnServer;
}

async function attempt(cluster: Cluster, start: Start): Attempt {
  const { own } = start;
  const running = await runningPostmaster(cluster.pgdata);
  if (!running) return startNew(cluster, start);
  if (running.status !== 'ready')
    return { reason: `a server is ${running.status || 'starting'}`, isRecovering: running.status === 'starting' };
  const lease = await takeLease(cluster, running);
  if ('unanswered' in lease) return { reason: `a server does not answer (${lease.unanswered})` };
  if (own.server?.pid === lease.pid) return { ...lease, exited: own.server.exited };
  if (await hasSettings(cluster, lease)) {
    cluster.log.info({ pid: lease.pid }, 'the PostgreSQL server that was left running is used on');
    return lease;
  }
  cluster.log.info({ pid: lease.pid }, 'a PostgreSQL server was left running with other settings; it is started anew');
  await stopPostmaster(cluster);
  return startNew(cluster, start);
}

async function startNew(cluster: Cluster, start: Start): Attempt {
  const address = start.address ?? (await chooseAddress(cluster.pgdata));
  const result = await startPostmaster(cluster, { address, signal: start.signal });
  if ('output' in result) return { reason: await clearCause(cluster, result.output) };
  start.own.server = result;
  return attempt(cluster, start);
}

interface Cause {
  /** What PostgreSQL prints. Its messages are English: `lc_messages` is C. */
  readonly output: RegExp;
  readonly reason: string;
  clear?(cluster: Cluster): Promise<void>;
}

/** Causes of a failed start after which another try may succeed. */
const CAUSES: readonly Cause[] = [
  { output: /pre-existing shared memory block/, reason: 'parts of the last server are still running', clear: quitOrphans },
  { output: /lock file ".*" (?:already exists|is empty)/, reason: 'the last server left its lock file', clear: clearLockFiles },
  { output: /could not bind /, reason: 'its address is in use' },
];

/** Does what can be done about a failed start, and gives back why it failed. Throws when nothing can be. */
async function clearCause(cluster: Cluster, output: string): Promise<string> {
  const cause = CAUSES.find((candidate) => candidate.output.test(output));
  if (!cause) throw await programFailed('postgres', cluster, output);
  await cause.clear?.(cluster);
  return cause.reason;
}

/** Ends processes of a dead server. They would end by themselves later, and their work is lost either way. */
async function quitOrphans({ pgdata, log }: Cluster): Promise<void> {
  for (const pid of await orphansIn(pgdata)) {
    log.warn({ pid }, 'a process of the last PostgreSQL server is told to end');
    try {
      process.kill(pid, 'SIGQUIT');
    } catch {
      // It has ended meanwhile.
    }
  }
}

async function clearLockFiles({ pgdata }: Cluster): Promise<void> {
  if (!(await runningPostmaster(pgdata))) await removeStaleLockFiles(pgdata);
}
