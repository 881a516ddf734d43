import type { Feedback } from '#contract/feedback.ts';

type Row = Pick<Feedback, 'id'>;

/** The row before or after the one that is open. Nothing open: the first. At the ends: the last one reached. */
export function stepFrom<R extends Row>(rows: readonly R[], open: string | undefined, by: 1 | -1): R | undefined {
  const at = rows.findIndex(({ id }) => id === open);
  if (at === -1) return rows[0];
  return rows[Math.min(rows.length - 1, Math.max(0, at + by))];
}

/** Whether there is a row to go to. */
export const canStep = (rows: readonly Row[], open: string | undefined, by: 1 | -1): boolean => {
  const at = rows.findIndex(({ id }) => id === open);
  return at === -1 ? rows.length > 0 && by === 1 : rows[at + by] !== undefined;
};

/** How many of the newest rows are not shown yet. Ids sort by time; below the last shown row there may be more of the same page. */
export function countUnseen(head: readonly Row[], shown: readonly Row[], hasMore: boolean): number {
  const known = new Set(shown.map(({ id }) => id));
  const last = hasMore ? (shown.at(-1)?.id ?? '') : '';
  return head.filter(({ id }) => !known.has(id) && id > last).length;
}
