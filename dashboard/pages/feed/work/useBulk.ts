import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { MOST_CHANGED } from '#contract/feedback/work.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';

export interface Bulk {
  /** Whether rows can be selected. */
  readonly isOn: boolean;
  readonly items: readonly Feedback[];
  readonly isAll: boolean;
  start(): void;
  stop(): void;
  isPicked(id: string): boolean;
  toggle(id: string): void;
  toggleAll(): void;
  /** The button that begins it, and the checkbox that takes all: each has the focus once it takes the other's place. */
  readonly opener: RefObject<HTMLButtonElement | null>;
  readonly all: RefObject<HTMLInputElement | null>;
}

/** Which rows are selected to be changed together: of those that are shown, as many as one change takes. */
export function useBulk(rows: readonly Feedback[]): Bulk {
  const [picked, setPicked] = useState<ReadonlySet<string>>();
  const isOff = useReadOnly() !== undefined;
  const items = picked ? rows.filter(({ id }) => picked.has(id)) : [];
  const most = rows.slice(0, MOST_CHANGED);
  const isAll = most.length > 0 && items.length >= most.length;
  const isOn = picked !== undefined && !isOff;
  return {
    isOn,
    ...useFocusInPlace(isOn),
    items,
    isAll,
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
}

/** Whoever begins or ends it goes on where they were: what was pressed is gone. */
function useFocusInPlace(isOn: boolean): Pick<Bulk, 'opener' | 'all'> {
  const opener = useRef<HTMLButtonElement>(null);
  const all = useRef<HTMLInputElement>(null);
  const before = useRef(isOn);
  useEffect(() => {
    if (before.current === isOn) return;
    before.current = isOn;
    (isOn ? all : opener).current?.focus();
  }, [isOn]);
  return { opener, all };
}
