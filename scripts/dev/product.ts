import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENVIRONMENT, FLAGS } from '../process.mjs';

/** The product as a process that can be started again. */
export interface Product {
  /** Ends it in order where it runs, and starts it. Fulfilled when it was started, not when it is there. */
  restart(): Promise<void>;
  /** Whether it takes requests. Waits while it is starting, and while it is started again. */
  isThere(): Promise<boolean>;
  /** Ends it in order, and for good. */
  stop(): Promise<void>;
}

interface ProductOptions {
  /** Where it listens on this machine. */
  readonly port: number;
  readonly env: NodeJS.ProcessEnv;
  /** Hears that it has ended by itself, with its status or the signal that ended it. */
  readonly onEnd: (how: number | NodeJS.Signals) => void;
}

const root = path.resolve(import.meta.dirname, '../..');
/** Ms: longer than the product takes to give up an orderly stop by itself. */
const LONGEST_STOP = 12_000;
/** Ms between two tries to connect. */
const PAUSE = 25;

export function createProduct({ port, env, onEnd }: ProductOptions): Product {
  let child: ChildProcess | undefined;
  let isOver = false;
  let state: Promise<boolean> = Promise.resolve(false);

  async function restart(): Promise<boolean> {
    await end(child);
    if (isOver) return false;
    child = start();
    return false;
  }

  function start(): ChildProcess {
    const started = spawn(process.execPath, [...FLAGS, '--import', path.join(import.meta.dirname, 'leash.ts'), 'server/main.ts'], {
      cwd: root,
      env: { ...ENVIRONMENT, ...env, HOST: '127.0.0.1', PORT: String(port) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // A group of its own: a Ctrl-C reaches the development server only, which ends it in order.
      detached: true,
    });
    started.once('exit', (status, signal) => {
      if (child === started && !isEnding.has(started)) onEnd(status ?? signal ?? 1);
    });
    return started;
  }

  return {
    async restart() {
      const restarted = restart();
      state = restarted.then(() => listening(child, port));
      await restarted;
    },
    async isThere() {
      for (;;) {
        const asked = state;
        const answer = await asked;
        if (asked === state) return answer && isRunning(child);
      }
    },
    async stop() {
      isOver = true;
      await end(child);
    },
  };
}

/** Those that were told to end. */
const isEnding = new WeakSet<ChildProcess>();

const isRunning = (child: ChildProcess | undefined): child is ChildProcess =>
  child !== undefined && child.exitCode === null && child.signalCode === null;

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!isRunning(child)) return;
  isEnding.add(child);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_STOP);
  await ended;
  clearTimeout(timer);
}

/** Waits until somebody listens, or the process that should has ended. */
async function listening(child: ChildProcess | undefined, port: number): Promise<boolean> {
  while (isRunning(child)) {
    if (await answers(port)) return true;
    await sleep(PAUSE);
  }
  return false;
}

function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect').then(
    () => {
      socket.destroy();
      return true;
    },
    () => false,
  );
}
