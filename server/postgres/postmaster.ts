import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { runProgram, spawnProgram } from './binaries.ts';
import type { Cluster } from './cluster.ts';
import type { Address } from './configuration.ts';
import { writeConfiguration } from './configuration.ts';
import { lastLines } from './errors.ts';
import { readPostmaster, runningPostmaster } from './lock-files.ts';
import { openServerLog, type ServerLog } from './server-log.ts';

/** Ms. A look at a small file; `pg_ctl -w` looks every 100 ms. */
const LOOK = 5;
/** Ms in which the process that writes the log follows the server that ended. */
const LAST_WORDS = 100;
/** Ms between words about a start that takes long, as after a crash with much to redo. */
const PATIENCE = 10_000;
/** Ms that a stop may take before the next, harder way. */
const STOP_WITHIN = 8_000;

interface Start {
  readonly address: Address;
  readonly signal: AbortSignal;
}

/** The server takes connections, or it ended: then, what it said. */
type Started = Running | { readonly said: string };

export interface Running {
  readonly pid: number;
  /** Waits until the process is gone, once it was told to end: nobody else buries our children. */
  buried(): Promise<void>;
}

export async function startServer(cluster: Cluster, { address, signal }: Start): Promise<Started> {
  await writeConfiguration(cluster, address);
  const log = await openServerLog(cluster.pgdata);
  const child = await spawnServer(cluster, log);
  const result = await readiness(cluster, { child, log, signal });
  child.stdout?.destroy();
  child.stderr?.destroy();
  return result;
}

/**
 * Does nothing when no server runs. Waits for that server only, which `pg_ctl -w` does not: the next process may have
 * started another one by then.
 */
export async function stopServer(cluster: Cluster): Promise<void> {
  const server = await runningPostmaster(cluster.pgdata);
  if (!server) return;
  const runs = async (): Promise<boolean> => (await runningPostmaster(cluster.pgdata))?.pid === server.pid;
  for (const mode of ['fast', 'immediate']) {
    const { output } = await runProgram(cluster.binaries, 'pg_ctl', ['stop', '-D', cluster.pgdata, '-m', mode, '-W']);
    for (const end = Date.now() + STOP_WITHIN; Date.now() < end; await sleep(LOOK)) if (!(await runs())) return;
    cluster.log.warn({ output: lastLines(output) }, `PostgreSQL did not stop within ${STOP_WITHIN} ms (mode ${mode})`);
  }
}

async function spawnServer(cluster: Cluster, log: ServerLog): Promise<ChildProcess> {
  const child = await spawnProgram(cluster.binaries, 'postgres', ['-D', cluster.pgdata]);
  log.listen(child.stdout, child.stderr);
  // It outlives us when we are killed, and it must not keep us from ending.
  child.unref();
  return child;
}

interface Awaited {
  readonly child: ChildProcess;
  readonly log: ServerLog;
  readonly signal: AbortSignal;
}

async function readiness(cluster: Cluster, { child, log, signal }: Awaited): Promise<Started> {
  const slow = setInterval(() => cluster.log.info({ pid: child.pid }, 'PostgreSQL is still recovering'), PATIENCE);
  try {
    while (!hasEnded(child)) {
      const written = await readPostmaster(cluster.pgdata);
      if (written?.pid === child.pid && written?.status === 'ready') return { pid: written.pid, buried: () => endOf(child) };
      await sleep(LOOK, undefined, { signal });
    }
    await sleep(LAST_WORDS);
    return { said: await log.read() };
  } catch (error) {
    await endServer(child);
    throw error;
  } finally {
    clearInterval(slow);
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** For a server that may not have its lock file yet, without which `pg_ctl` does not find it. SIGINT is a fast stop. */
async function endServer(child: ChildProcess): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (hasEnded(child)) return;
    child.kill(signal);
    await endOf(child);
  }
}

async function endOf(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.ref();
  await once(child, 'exit', { signal: AbortSignal.timeout(STOP_WITHIN) }).catch(() => undefined);
  child.unref();
}
