import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { ROW } from '../../frame/chrome/shortcuts.ts';
import { useIsWide, useStable } from '../../ui/hooks.ts';
import { leaveTo } from '../../ui/layers/useLayer.ts';
import type { FeedList } from './list/useFeedList.ts';
import type { ChangeSearch } from './search.ts';

type WithId = Pick<Feedback, 'id'>;

/** Returns the previous or next row; the first if none is open, and the same one at the ends. */
export function stepFrom<R extends WithId>(rows: readonly R[], open: string | undefined, by: 1 | -1): R | undefined {
  const at = rows.findIndex(({ id }) => id === open);
  if (at === -1) return rows[0];
  return rows[Math.min(rows.length - 1, Math.max(0, at + by))];
}

/** Returns true if there is a previous or next row. */
export const canStep = (rows: readonly WithId[], open: string | undefined, by: 1 | -1): boolean => {
  const at = rows.findIndex(({ id }) => id === open);
  return at === -1 ? rows.length > 0 && by === 1 : rows[at + by] !== undefined;
};

export interface Selection {
  /** The id of the open item, from the URL. */
  readonly openId: string | undefined;
  /** The id of the item shown in full. On wide screens one is always shown. */
  readonly shownId: string | undefined;
  readonly shown: Feedback | undefined;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  /** Opens the previous or next item. The focus moves along if it was on a row, and stays if it was on a button. */
  readonly step: (by: 1 | -1) => void;
  /** Keeps the shown item open when rows are added above it. */
  readonly hold: () => void;
  /** Moves the focus to the open row, or to the first. */
  readonly focusList: () => void;
  /** Moves the focus to the row that was closed last, unless something else has it. */
  readonly focusClosed: () => void;
  /** Closes the open item and moves the focus to its row. Returns false if nothing was open. */
  readonly close: () => boolean;
}

interface SelectionOptions {
  readonly list: FeedList;
  readonly openId: string | undefined;
  readonly change: ChangeSearch;
}

/** Tracks the open feedback. It is stored in the address and moved by keys and buttons. */
export function useSelectionState({ list, openId, change }: SelectionOptions): Selection {
  const { rows } = list;
  const isWide = useIsWide();
  const shownId = openId ?? (isWide ? rows[0]?.id : undefined);
  const shown = rows.find(({ id }) => id === shownId);
  const [hasPrevious, hasNext] = [canStep(rows, shownId, -1), canStep(rows, shownId, 1)];
  const focusClosed = useFocusOnClose(openId);
  const step = useStep({ list, openId, change, shownId });
  const close = useClose({ openId, change, shownId });
  const hold = useStable(() => {
    if (openId === undefined && shownId !== undefined) change({ id: shownId }, { replace: true });
  });
  const focusList = useStable(() => document.getElementById(shownId ?? rows[0]?.id ?? '')?.focus());
  return useMemo(
    () => ({ openId, shownId, shown, hasPrevious, hasNext, step, hold, focusList, focusClosed, close }),
    [openId, shownId, shown, hasPrevious, hasNext, step, hold, focusList, focusClosed, close],
  );
}

type OpenItem = Pick<SelectionOptions, 'openId' | 'change'> & Pick<Selection, 'shownId'>;

function useStep({ list: { rows, hasMore, loadMore }, openId, change, shownId }: OpenItem & Pick<SelectionOptions, 'list'>) {
  return useStable<[by: 1 | -1], void>((by) => {
    const from = shownId ?? focusedRow();
    const next = stepFrom(rows, from, by);
    if (!next) return;
    if (next.id === from && by === 1 && hasMore) return loadMore();
    if (shownId !== undefined) change({ id: next.id }, openId === undefined ? { isOpened: true } : { replace: true });
    if (!isInDetail()) return focusRow(next.id);
    document.getElementById(next.id)?.scrollIntoView({ block: 'nearest' });
    keepFocus();
  });
}

function useClose({ openId, change, shownId }: OpenItem) {
  const { history } = useRouter();
  return useStable(() => {
    if (shownId === undefined || (openId === undefined && focusedRow() !== undefined)) return false;
    if (openId === undefined) focusRow(shownId);
    // One Escape closes twice, in the sheet and in the page, but must go back only once.
    else if (history.location.state.isOpened) void leaveTo(history, -1);
    else change({ id: undefined }, { replace: true });
    return true;
  });
}

/** Moves the focus to the row of an item that was closed by any means, unless something outside it has the focus. */
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

/** Returns a function that focuses the row matched by `find` as soon as it is drawn. */
export function useFocusOnArrival(rows: readonly Feedback[]): (find: (rows: readonly Feedback[]) => Feedback | undefined) => void {
  const pending = useRef<(rows: readonly Feedback[]) => Feedback | undefined>(undefined);
  useEffect(() => {
    const row = pending.current?.(rows);
    if (!row) return;
    pending.current = undefined;
    focusRow(row.id);
  }, [rows]);
  return (find) => {
    pending.current = find;
  };
}

export const DETAIL_HEADING = 'feedback-heading';
/** Marks the element that shows the open item. */
export const DETAIL = 'data-feedback-detail';

/** Focuses a row by its feedback's id. An item opened by a link may have no row. */
const focusRow = (id: string): void => (document.getElementById(id) ?? document.querySelector<HTMLElement>('main h1'))?.focus();

const focusedRow = (): string | undefined => document.activeElement?.closest(`[${ROW}]`)?.id;

const isInDetail = (): boolean => document.activeElement?.closest(`[${DETAIL}]`) != null;

/** Restores the focus if its element disappeared with the previous item. */
const keepFocus = (): void => void requestAnimationFrame(() => document.activeElement === document.body && focusDetail());

/** Moves the focus to the detail's heading once it is drawn. */
export const focusDetail = (): void => void requestAnimationFrame(() => document.getElementById(DETAIL_HEADING)?.focus());
