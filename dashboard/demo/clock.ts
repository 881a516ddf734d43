/* The moments of the demo: those of the sample data follow the clock. */

/** How long the sample data stay the same (ms), so that a reloaded page finds the item that was open. */
const STEADY = 10 * 60_000;

/** The moment (UTC ms) that the sample data are made for. */
export const steady = (now: number): number => Math.floor(now / STEADY) * STEADY;

/** Returns the moment (UTC ms) as of which the demo is shown: that of its document (dashboard/start.ts), so that its rows stay the same. */
export const openedAt = (): number => Number(globalThis.document?.documentElement.dataset['opened'] ?? Date.now());
