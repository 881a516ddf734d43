/* The moments of the demo: those of the sample data follow the clock. */

/** How long the sample data stay the same (ms), so that a reloaded page finds the item that was open. */
const STEADY = 10 * 60_000;

/** The moment (UTC ms) that the sample data are made for. */
export const steady = (now: number): number => Math.floor(now / STEADY) * STEADY;

/** Whether the document shows the demo's feed already, and in which of its pictures. */
const shownAhead = (): 'narrow' | 'wide' | undefined => {
  const { start } = document.documentElement.dataset;
  return start === 'narrow' || start === 'wide' ? start : undefined;
};

/** The moment (UTC ms) as of which the demo is shown: what the document shows of it stays true. */
export const openedAt = (): number => (shownAhead() ? performance.timeOrigin : Date.now());
