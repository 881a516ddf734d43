/* The demo's times, relative to the clock. */

/** How long the sample data stay the same (ms), so that an open item survives a reload. */
const STEADY = 10 * 60_000;

/** Returns the time that the sample data are created for (UTC ms). */
export const steady = (now: number): number => Math.floor(now / STEADY) * STEADY;

/** Returns the time that the demo shows (UTC ms): that of its document (dashboard/start.ts), so that its rows stay the same. */
export const openedAt = (): number => Number(globalThis.document?.documentElement.dataset['opened'] ?? Date.now());
