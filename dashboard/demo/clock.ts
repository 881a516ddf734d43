/* The demo's times, which follow the clock. */

/** How long the sample data stay the same (ms), so that an open item survives a reload. */
const STEADY = 10 * 60_000;

/** Returns the moment that the sample data are created for (UTC ms). */
export const steady = (now: number): number => Math.floor(now / STEADY) * STEADY;

/** Returns the moment (UTC ms) as of which the demo is shown: that of its document (dashboard/start.ts), so that its rows stay the same. */
export const openedAt = (): number => Number(globalThis.document?.documentElement.dataset['opened'] ?? Date.now());
