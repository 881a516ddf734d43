import { AsyncLocalStorage } from 'node:async_hooks';

const running = new AsyncLocalStorage<AbortSignal>();

/** Runs `work`, whose transactions are refused once the signal is aborted, so that a loop of batches ends. */
export const untilAborted = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => running.run(signal, work);

/** Throws if the running work was aborted. */
export const throwIfAborted = (): void => running.getStore()?.throwIfAborted();
