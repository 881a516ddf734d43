import { AsyncLocalStorage } from 'node:async_hooks';

/* An uncaught exception ends the process. The job that threw it must not end the next process too. */

const work = new AsyncLocalStorage<(error: unknown) => void>();

/** Time for the failed job to store its failure (ms). */
const SETTLING = 1_000;

/** Runs `run`, and also rejects with its uncaught exceptions, such as one thrown in a callback. */
export function withCrashes<T>(run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    work.run(reject, () => run().then(resolve, reject));
  });
}

/** Calls `end` on an uncaught exception, after the job that threw it had time to store its failure. */
export function onCrash(end: (error: unknown) => void): void {
  process.on('uncaughtException', (error) => {
    const reject = work.getStore();
    reject?.(new CrashError('The process ended here', { cause: error }));
    setTimeout(() => end(error), reject ? SETTLING : 0);
  });
}

/** An uncaught exception of a job, which isn't retried because it would end the process again. */
export class CrashError extends Error {}
