import { MOST_TOOLS } from '#contract/tool/tool.ts';

/** Returns why a property accepts no more placements, which include kiosks. */
export const fullReason = (isFull: boolean): string | undefined =>
  isFull ? `A property has at most ${MOST_TOOLS} placements, including kiosks.` : undefined;
