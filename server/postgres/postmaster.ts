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

/** Ms between reads of a small file; `pg_ctl -w` reads it every 100 ms. */
const POLL_INTERVAL = 5;
/** Ms for the logging process to finish after the server has exited. */
const LOG_DELAY = 100;
/** Ms between log messages during a slow start, such as a long recovery after a crash. */
const REPORT_INTERVAL = 10_000;
/** Ms a stop may take before a harder mode is used. */
const STOP_TIMEOUT = 8_000;

export interface StartedPostmaster {
  readonly pid: number;
  /** Waits until the process has exited after a stop. */
  exited(): Promise<void>;
}

/** The output and log of a server that exited before it accepted connections. */
interface FailedStart {
  readonly output: string;
}

/** Starts a server and waits until it accepts connections or has exited. */
export async function startPostmaster(
  cluster: Cluster,
  { address, signal }: { address: Address; signal: AbortSignal },
): Promise<StartedPostmaster | FailedStart> {
  await writeConfiguration(cluster, address);
  const log = await openServerLog(cluster.pgdata);
  const child = await spawnProgram(cluster.binaries, 'postgres', ['-D', cluster.pgdata]);
  log.listen(child);
  // The server may outlive this process, and must not keep it from exiting.
  child.unref();
  const result = await readiness(cluster, { child, log, signal });
  child.stdout?.destroy();
  child.stderr?.destroy();
  return result;
}

/**
 * Stops the running server, if any. Waits for that server only, unlike `pg_ctl -w`, because another process may already have
 * started the next one.
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

interface StartingServer {
  readonly child: ChildProcess;
  readonly log: ServerLog;
  readonly signal: AbortSignal;
}

async function readiness(cluster: Cluster, { child, log, signal }: StartingServer): Promise<StartedPostmaster | FailedStart> {
  const report = setInterval(() => cluster.log.info({ pid: child.pid }, 'PostgreSQL is still recovering'), REPORT_INTERVAL);
  try {
    while (!hasEnded(child)) {
      const postmaster = await readPostmaster(cluster.pgdata);
      if (postmaster?.pid === child.pid && postmaster?.status === 'ready') return { pid: postmaster.pid, exited: () => exitOf(child) };
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

/** Stops a server that may not have its lock file yet, which `pg_ctl` needs. SIGINT is a fast stop. */
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

/** The messages of a server: first its output, then the log in its data directory. */
interface ServerLog {
  /** Collects the output of a new server. */
  listen(server: ChildProcess): void;
  read(): Promise<string>;
}

async function openServerLog(pgdata: string): Promise<ServerLog> {
  const folder = path.join(pgdata, 'log');
  const initialSizes = new Map(await sizesIn(folder));
  const printed: Buffer[] = [];
  return {
    listen({ stdout, stderr }) {
      for (const output of [stdout, stderr]) output?.on('data', (chunk: Buffer) => printed.push(chunk));
    },
    async read() {
      const grownFiles = (await sizesIn(folder)).filter(([name, size]) => size > (initialSizes.get(name) ?? 0));
      const logged = grownFiles.map(async ([name]) => (await readFile(path.join(folder, name))).subarray(initialSizes.get(name) ?? 0));
      return Buffer.concat([...printed, ...(await Promise.all(logged))]).toString();
    },
  };
}

async function sizesIn(folder: string): Promise<[name: string, bytes: number][]> {
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.map(async (name): Promise<[string, number]> => [name, (await stat(path.join(folder, name))).size]));
}
