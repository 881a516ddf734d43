import { AsyncLocalStorage } from 'node:async_hooks';

/* An exception that nothing catches ends the process. The work that threw it must not end the next process too. */

const work = new AsyncLocalStorage<(error: unknown) => void>();

/** How long the failed work has to store that it failed (ms). */
const SETTLING = 1_000;

/** Runs `run`, and rejects with an exception of its own that nothing caught, such as one thrown in a callback. */
export function withCrashes<T>(run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    work.run(reject, () => run().then(resolve, reject));
  });
}

/** Calls `end` on an exception that nothing caught, once the work that threw it had time to store that it failed. */
export function onCrash(end: (error: unknown) => void): void {
  process.on('uncaughtException', (error) => {
    const reject = work.getStore();
    reject?.(new CrashError('The process ended here', { cause: error }));
    setTimeout(() => end(error), reject ? SETTLING : 0);
  });
}

/** Nothing caught what the work threw: trying it again would end the process again. */
export class CrashError extends Error {}
