import { setTimeout as sleep } from 'node:timers/promises';

const LOOK = 20;

/** Whether it comes to hold within this time (ms). */
export async function until(holds: () => Promise<boolean>, within: number): Promise<boolean> {
  for (const end = Date.now() + within; Date.now() < end; await sleep(LOOK)) if (await holds()) return true;
  return false;
}
