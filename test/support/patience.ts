/** How long tests wait (ms): about ten times what the slowest needs on an idle machine, so that only a hang fails on a busy one. */
export const PATIENT = { timeout: 180_000, interval: 20 };
