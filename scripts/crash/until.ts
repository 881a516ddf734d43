import { setTimeout as sleep } from 'node:timers/promises';

const POLL_INTERVAL = 20;

/** Polls a condition. Returns whether it became true within this time (ms). */
export async function until(condition: () => Promise<boolean>, within: number): Promise<boolean> {
  for (const end = Date.now() + within; Date.now() < end; await sleep(POLL_INTERVAL)) if (await condition()) return true;
  return false;
}
