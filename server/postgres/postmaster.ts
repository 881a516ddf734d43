import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runProgram, spawnProgram } from './binaries.ts';
import type { Cluster } from './cluster.ts';
import { type Address, writeConfiguration } from './configuration.ts';
import { lastLines } from './errors.ts';
import { readPostmaster, runningPostmaster } from './lock-files.ts';

/** Ms between looks at a small file; `pg_ctl -w` looks every 100 ms. */
const POLL_INTERVAL = 5;
/** Ms in which the process that writes the log follows the server that ended. */
const LOG_DELAY = 100;
/** Ms between reports of a start that takes long, as after a crash with much to redo. */
const REPORT_INTERVAL = 10_000;
/** Ms that a stop may take before the next, harder way. */
const STOP_TIMEOUT = 8_000;

export interface StartedPostmaster {
  readonly pid: number;
  /** Waits until the process is gone, once it was told to end. */
  exited(): Promise<void>;
}

/** What a server printed and logged that ended instead of taking connections. */
interface FailedStart {
  readonly output: string;
}

/** Starts a server and waits until it takes connections, or has ended. */
export async function startPostmaster(
  cluster: Cluster,
  { address, signal }: { address: Address; signal: AbortSignal },
): Promise<StartedPostmaster | FailedStart> {
  await writeConfiguration(cluster, address);
  const log = await openServerLog(cluster.pgdata);
  const child = await spawnProgram(cluster.binaries, 'postgres', ['-D', cluster.pgdata]);
  log.listen(child);
  // The server outlives this process when it is killed, and must not keep it from ending.
  child.unref();
  const result = await readiness(cluster, { child, log, signal });
  child.stdout?.destroy();
  child.stderr?.destroy();
  return result;
}

/**
 * Does nothing when no server runs. Waits for that server only, which `pg_ctl -w` does not: another process may have
 * started the next one by then.
 */
export async function stopPostmaster(cluster: Cluster): Promise<void> {
  const server = await runningPostmaster(cluster.pgdata);
  if (!server) return;
  const runs = async (): Promise<boolean> => (await runningPostmaster(cluster.pgdata))?.pid === server.pid;
  for (const mode of ['fast', 'immediate']) {
    const { output } = await runProgram(cluster.binaries, 'pg_ctl', ['stop', '-D', cluster.pgdata, '-m', mode, '-W']);
    for (const end = Date.now() + STOP_TIMEOUT; Date.now() < end; await sleep(POLL_INTERVAL)) if (!(await runs())) return;
    cluster.log.warn({ output: lastLines(output) }, `PostgreSQL did not stop within ${STOP_TIMEOUT} ms (mode ${mode})`);
  }
}

interface Starting {
  readonly child: ChildProcess;
  readonly log: ServerLog;
  readonly signal: AbortSignal;
}

async function readiness(cluster: Cluster, { child, log, signal }: Starting): Promise<StartedPostmaster | FailedStart> {
  const report = setInterval(() => cluster.log.info({ pid: child.pid }, 'PostgreSQL is still recovering'), REPORT_INTERVAL);
  try {
    while (!hasEnded(child)) {
      const written = await readPostmaster(cluster.pgdata);
      if (written?.pid === child.pid && written?.status === 'ready') return { pid: written.pid, exited: () => exitOf(child) };
      await sleep(POLL_INTERVAL, undefined, { signal });
    }
    await sleep(LOG_DELAY);
    return { output: await log.read() };
  } catch (error) {
    await endChild(child);
    throw error;
  } finally {
    clearInterval(report);
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** For a server that may not have its lock file yet, without which `pg_ctl` does not find it. SIGINT is a fast stop. */
async function endChild(child: ChildProcess): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (hasEnded(child)) return;
    child.kill(signal);
    await exitOf(child);
  }
}

async function exitOf(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.ref();
  await once(child, 'exit', { signal: AbortSignal.timeout(STOP_TIMEOUT) }).catch(() => undefined);
  child.unref();
}

/** What a server says from its start on: first to its outputs, later to the log in its data directory. */
interface ServerLog {
  /** Collects the outputs of a server that was just started. */
  listen(server: ChildProcess): void;
  read(): Promise<string>;
}

async function openServerLog(pgdata: string): Promise<ServerLog> {
  const folder = path.join(pgdata, 'log');
  const before = new Map(await sizesIn(folder));
  const printed: Buffer[] = [];
  return {
    listen({ stdout, stderr }) {
      for (const output of [stdout, stderr]) output?.on('data', (chunk: Buffer) => printed.push(chunk));
    },
    async read() {
      const grown = (await sizesIn(folder)).filter(([name, size]) => size > (before.get(name) ?? 0));
      const logged = grown.map(async ([name]) => (await readFile(path.join(folder, name))).subarray(before.get(name) ?? 0));
      return Buffer.concat([...printed, ...(await Promise.all(logged))]).toString();
    },
  };
}

async function sizesIn(folder: string): Promise<[name: string, bytes: number][]> {
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.map(async (name): Promise<[string, number]> => [name, (await stat(path.join(folder, name))).size]));
}
