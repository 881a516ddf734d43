import type { Feedback } from '#contract/feedback.ts';
import { ROW } from '../../frame/shortcuts.ts';
import type { FeedList } from './list/useFeedList.ts';
import type { ChangeSearch } from './search.ts';

type WithId = Pick<Feedback, 'id'>;

/** The row before or after the one that is open. Nothing open: the first. At the ends: the last one reached. */
export function stepFrom<R extends WithId>(rows: readonly R[], open: string | undefined, by: 1 | -1): R | undefined {
  const at = rows.findIndex(({ id }) => id === open);
  if (at === -1) return rows[0];
  return rows[Math.min(rows.length - 1, Math.max(0, at + by))];
}

/** Whether there is a row to go to. */
export const canStep = (rows: readonly WithId[], open: string | undefined, by: 1 | -1): boolean => {
  const at = rows.findIndex(({ id }) => id === open);
  return at === -1 ? rows.length > 0 && by === 1 : rows[at + by] !== undefined;
};

export interface Selection {
  /** The id of the open item, from the URL. */
  readonly openId: string | undefined;
  /** The id of the item that is shown in full. Beside the list there is always one. */
  readonly shownId: string | undefined;
  readonly shown: Feedback | undefined;
  /** Whether there is one before or after. */
  can(by: 1 | -1): boolean;
  step(by: 1 | -1): void;
  /** Closes it and gives the focus back to its row. False when nothing was open. */
  close(): boolean;
}

interface SelectionOptions {
  readonly list: FeedList;
  readonly openId: string | undefined;
  readonly isWide: boolean;
  readonly change: ChangeSearch;
}

/** Which feedback is open: kept in the address, moved by keys and buttons. */
export function useSelection({ list: { rows, hasMore, loadMore }, openId, isWide, change }: SelectionOptions): Selection {
  const shownId = openId ?? (isWide ? rows[0]?.id : undefined);
  return {
    openId,
    shownId,
    shown: rows.find(({ id }) => id === shownId),
    can: (by) => canStep(rows, shownId, by),
    step(by) {
      const from = shownId ?? focusedRow();
      const next = stepFrom(rows, from, by);
      if (!next) return;
      if (next.id === from && by === 1 && hasMore) return loadMore();
      if (shownId !== undefined) change({ id: next.id }, { replace: openId !== undefined });
      if (shownId === undefined || isWide) focusRow(next.id);
    },
    close() {
      if (shownId === undefined || (openId === undefined && focusedRow() !== undefined)) return false;
      if (openId !== undefined) change({ id: undefined }, { replace: true });
      focusRow(shownId);
      return true;
    },
  };
}

/* Where the focus goes between a row and what it opens. */

export const DETAIL_HEADING = 'feedback-heading';

/** A row has its feedback's id. */
const focusRow = (id: string): void => document.getElementById(id)?.focus();

const focusedRow = (): string | undefined => document.activeElement?.closest(`[${ROW}]`)?.id;

/** Moves the focus to the detail's heading, once it is drawn. */
export const focusDetail = (): void => void requestAnimationFrame(() => document.getElementById(DETAIL_HEADING)?.focus());
