import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { ROW } from '../../frame/chrome/shortcuts.ts';
import { leaveTo } from '../../ui/layers/useLayer.ts';
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
  /** Opens the one before or after. The focus goes along where it was on a row; on a button it stays. */
  step(by: 1 | -1): void;
  /** Holds what is shown, whatever comes above it. */
  hold(): void;
  /** Moves the focus into the list, to the row that is open or the first. */
  focusList(): void;
  /** Gives the focus back to the row of what was closed last, unless something else has it. */
  focusClosed(): void;
  /** Closes it; the focus goes back to its row. False when nothing was open. */
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
  const { history } = useRouter();
  const shownId = openId ?? (isWide ? rows[0]?.id : undefined);
  const focusClosed = useFocusOnClose(openId);
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
      if (shownId !== undefined) change({ id: next.id }, openId === undefined ? { isOpened: true } : { replace: true });
      if (!isInDetail()) return focusRow(next.id);
      document.getElementById(next.id)?.scrollIntoView({ block: 'nearest' });
      keepFocus();
    },
    hold() {
      if (openId === undefined && shownId !== undefined) change({ id: shownId }, { replace: true });
    },
    focusClosed,
    focusList() {
      document.getElementById(shownId ?? rows[0]?.id ?? '')?.focus();
    },
    close() {
      if (shownId === undefined || (openId === undefined && focusedRow() !== undefined)) return false;
      if (openId === undefined) focusRow(shownId);
      // Asked twice by one Escape, of the sheet and of the page, it goes back once.
      else if (history.location.state.isOpened) void leaveTo(history, -1);
      else change({ id: undefined }, { replace: true });
      return true;
    },
  };
}

/** What was open is closed, by whatever means: its row has the focus next, unless something outside of it has. */
function useFocusOnClose(openId: string | undefined): () => void {
  const last = useRef(openId);
  const focusClosed = useCallback(() => {
    if (last.current !== undefined && (document.activeElement === document.body || isInDetail())) focusRow(last.current);
  }, []);
  useEffect(() => {
    if (openId === undefined) focusClosed();
    else last.current = openId;
  }, [openId, focusClosed]);
  return focusClosed;
}

/** Focuses a row as soon as it is drawn: the one that `find` looks for in the rows that come next. */
export function useFocusOnArrival(rows: readonly Feedback[]): (find: (rows: readonly Feedback[]) => Feedback | undefined) => void {
  const wanted = useRef<(rows: readonly Feedback[]) => Feedback | undefined>(undefined);
  useEffect(() => {
    const row = wanted.current?.(rows);
    if (!row) return;
    wanted.current = undefined;
    focusRow(row.id);
  }, [rows]);
  return (find) => {
    wanted.current = find;
  };
}

/* Where the focus goes between a row and what it opens. */

export const DETAIL_HEADING = 'feedback-heading';
/** Marks the place that shows what is open. */
export const DETAIL = 'data-feedback-detail';

/** A row has its feedback's id. What was opened by a link may have no row. */
const focusRow = (id: string): void => (document.getElementById(id) ?? document.querySelector<HTMLElement>('main h1'))?.focus();

const focusedRow = (): string | undefined => document.activeElement?.closest(`[${ROW}]`)?.id;

const isInDetail = (): boolean => document.activeElement?.closest(`[${DETAIL}]`) != null;

/** What had the focus may be gone with what was shown before. */
const keepFocus = (): void => void requestAnimationFrame(() => document.activeElement === document.body && focusDetail());

/** Moves the focus to the detail's heading, once it is drawn. */
export const focusDetail = (): void => void requestAnimationFrame(() => document.getElementById(DETAIL_HEADING)?.focus());
