import { AsyncLocalStorage } from 'node:async_hooks';

const jobSignal = new AsyncLocalStorage<AbortSignal>();

/** Runs `work`, whose loops (`inBatches`, `eachSettled`) end once the signal is aborted. What follows a step that was begun still runs. */
export const untilAborted = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => jobSignal.run(signal, work);

/** Throws if the jobSignal work was aborted. */
export const throwIfAborted = (): void => jobSignal.getStore()?.throwIfAborted();
