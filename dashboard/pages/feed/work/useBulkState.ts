import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { MOST_CHANGED } from '#contract/feedback/work.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';

export interface Bulk {
  /** Rows can be selected. */
  readonly isOn: boolean;
  readonly items: readonly Feedback[];
  readonly isAll: boolean;
  start(): void;
  stop(): void;
  isPicked(id: string): boolean;
  toggle(id: string): void;
  toggleAll(): void;
  /** The checkbox that selects all. It gets the focus when selecting starts, and the list's menu when it ends. */
  readonly all: RefObject<HTMLInputElement | null>;
}

/** Selects shown rows for a bulk change, at most as many as one request accepts. */
export function useBulkState(rows: readonly Feedback[]): Bulk {
  const [picked, setPicked] = useState<ReadonlySet<string>>();
  const isOff = useReadOnly() !== undefined;
  const isOn = picked !== undefined && !isOff;
  const all = useFocusInPlace(isOn);
  return useMemo(() => {
    const items = picked ? rows.filter(({ id }) => picked.has(id)) : [];
    const most = rows.slice(0, MOST_CHANGED);
    const isAll = most.length > 0 && items.length >= most.length;
    return {
      ...{ isOn, all, items, isAll },
      start: () => setPicked(new Set()),
      stop: () => setPicked(undefined),
      isPicked: (id) => picked?.has(id) ?? false,
      toggle(id) {
        const next = new Set(items.map((item) => item.id));
        if (!next.delete(id) && next.size < MOST_CHANGED) next.add(id);
        setPicked(next);
      },
      toggleAll: () => setPicked(new Set(isAll ? [] : most.map(({ id }) => id))),
    };
  }, [rows, picked, isOn, all]);
}

/** Marks the button that opens the list's menu, where selecting starts. A menu sets its button's id. */
export const MORE_BUTTON = 'data-more-for-list';

/** Moves the focus when selecting starts or stops, because the pressed control disappears. Returns the ref of the first checkbox. */
function useFocusInPlace(isOn: boolean): RefObject<HTMLInputElement | null> {
  const all = useRef<HTMLInputElement>(null);
  const previous = useRef(isOn);
  useEffect(() => {
    if (previous.current === isOn) return;
    previous.current = isOn;
    // After the menu has returned the focus to its button.
    const timer = setTimeout(() => (isOn ? all.current : document.querySelector<HTMLElement>(`[${MORE_BUTTON}]`))?.focus());
    return () => clearTimeout(timer);
  }, [isOn]);
  return all;
}
