import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Why a file is refused: it isn't a picture, it's too large, or it takes too much time or memory. */
export type PictureFault = 'no picture' | 'too large' | 'too heavy';

/** A WebP, and for a logo the same as a PNG, which every mail program shows; both as data URLs. */
export type DrawResult = { readonly drawn: string; readonly forMail?: string } | { readonly fault: PictureFault };

/** Cropped to a small square, scaled to fit a screen, or as small as a logo must be. */
export type Shape = 'square' | 'fit' | 'logo';

/** Idle time after which the program ends (ms). */
const IDLE = 10_000;
const PROGRAM = fileURLToPath(new URL('draw.ts', import.meta.url));

interface ProgramOptions {
  readonly pixels: number;
  readonly memory: number;
  /** The processor time that a picture may take (ms). */
  readonly time: number;
  /** How long it may take on a busy machine (ms). */
  readonly patience: number;
  /** Returns the refusal on a busy machine, and after the program was stopped. */
  readonly busy: () => Error;
}

/** Runs draw.ts, which ends when it's idle and is ended when it's slow. */
export class DrawingProgram {
  readonly #options: ProgramOptions;
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: ProgramOptions) {
    this.#options = options;
  }

  /** Draws one picture. Call it for one at a time. */
  draw(picture: Buffer, shape: Shape): Promise<DrawResult> {
    const { busy, patience } = this.#options;
    if (this.#isStopped) throw busy();
    clearTimeout(this.#idle);
    const child = this.#running();
    let timer: NodeJS.Timeout | undefined;
    return new Promise<DrawResult>((resolve, reject) => {
      timer = setTimeout(() => {
        this.#end();
        reject(busy());
      }, patience);
      child.once('message', (files: Uint8Array[] | null) => {
        const [webp, png] = files ?? [];
        resolve(webp ? { drawn: dataUrl('webp', webp), ...(png && { forMail: dataUrl('png', png) }) } : { fault: 'no picture' });
      });
      child.once('error', reject);
      child.once('exit', (status, signal) => {
        this.#child = undefined;
        if (this.#isStopped) reject(busy());
        else if (signal !== null) resolve({ fault: 'too heavy' });
        else reject(new Error(`The program that draws pictures ended with ${status}`));
      });
      // If it has exited by then, the exit event reports it.
      child.send({ picture, shape }, () => undefined);
    }).finally(() => {
      clearTimeout(timer);
      for (const event of ['message', 'error', 'exit']) child.removeAllListeners(event);
      child.on('error', () => undefined);
      this.#idle = setTimeout(() => this.#end(), IDLE).unref();
    });
  }

  /** Cancels the picture in progress. */
  stop(): void {
    this.#isStopped = true;
    this.#end();
  }

  #running(): ChildProcess {
    // It may have exited since.
    if (this.#child?.exitCode !== null || this.#child.signalCode !== null) this.#child = startProgram(this.#options);
    return this.#child;
  }

  #end(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}

const dataUrl = (format: 'webp' | 'png', file: Uint8Array): string => `data:image/${format};base64,${Buffer.from(file).toString('base64')}`;

/** Starts the program without our environment, which contains secrets. */
function startProgram({ pixels, memory, time }: ProgramOptions): ChildProcess {
  const child = fork(PROGRAM, [pixels, memory, time].map(String), {
    env: {},
    execArgv: ['--max-old-space-size=64'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  return child;
}
