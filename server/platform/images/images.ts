import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { refusal } from '#contract/core/errors.ts';
import { createLimiter } from '../tenancy/limiter.ts';
import { sizeOf } from './header.ts';

/** Why a file is refused: it isn't a picture, it's too large, or it takes too much time or memory. */
export type PictureFault = 'no picture' | 'too large' | 'too heavy';

/** The faults as messages for people. */
export const PICTURE_FAULTS: Readonly<Record<PictureFault, string>> = {
  'no picture': 'Please choose a PNG, JPEG or WebP picture',
  'too large': 'Please choose a picture of at most 4 million pixels',
  'too heavy': 'This picture takes too long to process. Please choose another one',
};

type Drawn = { readonly drawn: string } | { readonly fault: PictureFault };

/** Cropped to a small square, or scaled to fit a screen. */
export type Shape = 'square' | 'fit';

/** Re-encodes uploaded pictures, one at a time, in a process that can be killed. */
export interface Pictures {
  /**
   * Returns a small square as a data URL, without anything else that the file contained. Refuses `too-many` while another picture
   * of `by` is in progress, and `overloaded` if too many wait.
   */
  square(picture: string, by: string): Promise<Drawn>;
  /** Like `square`, but returns the whole picture, scaled to fit a screen. */
  fit(picture: string, by: string): Promise<Drawn>;
  /** Cancels the picture in progress. */
  stop(): void;
}

/** docs/limits.md#picture and docs/limits.md#drawing. Times in milliseconds, memory in bytes. */
const LIMITS = { pixels: 4_194_304, side: 8_192, memory: 400_000_000, time: 4_000, waiting: 8, waitTimeout: 4_000 } as const;
/** Idle time after which the program ends (ms). */
const IDLE = 10_000;
const PROGRAM = fileURLToPath(new URL('draw.ts', import.meta.url));

export function openPictures(limits: Partial<Record<keyof typeof LIMITS, number>> = {}): Pictures {
  const { pixels, side, memory, time, waiting, waitTimeout } = { ...LIMITS, ...limits };
  const limiter = createLimiter({ atOnce: 1, waiting, waitTimeout, full: busy });
  const senders = new Set<string>();
  let program: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let isStopped = false;
  return {
    square: (picture, by) => drawFor(picture, { by, shape: 'square' }),
    fit: (picture, by) => drawFor(picture, { by, shape: 'fit' }),
    stop() {
      isStopped = true;
      end();
    },
  };

  async function drawFor(picture: string, { by, shape }: { readonly by: string; readonly shape: Shape }): Promise<Drawn> {
    const bytes = Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64');
    const size = sizeOf(bytes);
    if (!size) return { fault: 'no picture' };
    if (size.width * size.height > pixels || Math.max(size.width, size.height) > side) return { fault: 'too large' };
    if (senders.has(by)) throw refusal('too-many', { retryAfter: 5 });
    senders.add(by);
    try {
      return await limiter.run(() => draw(bytes, shape));
    } finally {
      senders.delete(by);
    }
  }

  function draw(bytes: Buffer, shape: Shape): Promise<Drawn> {
    if (isStopped) throw busy();
    clearTimeout(idle);
    // It may have exited since.
    if (program?.exitCode !== null || program.signalCode !== null) program = start();
    const child = program;
    const timer = setTimeout(end, time);
    return new Promise<Drawn>((resolve, reject) => {
      child.once('message', (drawn: Uint8Array | null) => {
        resolve(drawn ? { drawn: `data:image/webp;base64,${Buffer.from(drawn).toString('base64')}` } : { fault: 'no picture' });
      });
      child.once('error', reject);
      child.once('exit', (status, signal) => {
        program = undefined;
        if (isStopped) reject(busy());
        else if (signal !== null) resolve({ fault: 'too heavy' });
        else reject(new Error(`The program that draws pictures ended with ${status}`));
      });
      // If it has exited by then, the exit event reports it.
      child.send({ picture: bytes, shape }, () => undefined);
    }).finally(() => {
      clearTimeout(timer);
      for (const event of ['message', 'error', 'exit']) child.removeAllListeners(event);
      child.on('error', () => undefined);
      idle = setTimeout(end, IDLE).unref();
    });
  }

  /** Starts the program without our environment, which contains secrets. */
  function start(): ChildProcess {
    const child = fork(PROGRAM, [String(pixels), String(memory)], {
      env: {},
      execArgv: ['--max-old-space-size=64'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.unref();
    child.channel?.unref();
    yieldTo(child);
    return child;
  }

  function end(): void {
    program?.kill('SIGKILL');
    program = undefined;
  }
}

const busy = () => refusal('overloaded', { retryAfter: 5 });

/** Lowers the program's priority, because page requests come first. */
function yieldTo({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has exited already, or this system has no priorities.
  }
}
