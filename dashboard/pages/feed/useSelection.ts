import type { Feedback } from '#contract/feedback.ts';
import { focusedRow, focusRow } from './focus.ts';
import type { FeedList } from './list/useFeedList.ts';
import { canStep, stepFrom } from './selection.ts';
import type { ChangeSearch } from './useFeedSearch.ts';

export interface Selection {
  /** What the address says is open. */
  readonly openId: string | undefined;
  /** What is shown in full: beside the list always something. */
  readonly shownId: string | undefined;
  readonly shown: Feedback | undefined;
  /** Whether there is one before or after. */
  can(by: 1 | -1): boolean;
  step(by: 1 | -1): void;
  /** Gives the focus back to the row. False when nothing was open. */
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
