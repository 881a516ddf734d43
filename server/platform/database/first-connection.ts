import { setTimeout as sleep } from 'node:timers/promises';
import { asRefusal, type Database } from './database.ts';

/** How long the start waits for its first connection, and between attempts (ms). @limit first-connection */
const [PATIENCE, PAUSE] = [30_000, 250];

/**
 * Opens the first connection. While the database or this machine is busy, that may take longer than a request waits, which is no reason
 * not to start. Throws after half a minute, or at once if trying again can't help.
 */
export async function openFirstConnection({ transaction }: Pick<Database, 'transaction'>): Promise<void> {
  for (const end = Date.now() + PATIENCE; ; await sleep(PAUSE)) {
    try {
      return await transaction({}, async () => undefined);
    } catch (error) {
      if (!asRefusal(error) || Date.now() > end) throw error;
    }
  }
}
