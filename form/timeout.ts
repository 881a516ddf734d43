/** Returns a signal that aborts after a time (ms), like `AbortSignal.timeout`, which browsers lacked until 2022. */
export function timeoutAfter(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}
