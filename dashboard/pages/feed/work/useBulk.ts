import { useState } from 'react';
import type { Feedback } from '#contract/feedback.ts';
import { MOST_CHANGED } from '#contract/work.ts';
import { useReadOnly } from '../../../frame/read-only.ts';

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
}

/** Which rows are selected to be changed together: of those that are shown, as many as one change takes. */
export function useBulk(rows: readonly Feedback[]): Bulk {
  const [picked, setPicked] = useState<ReadonlySet<string>>();
  const isOff = useReadOnly() !== undefined;
  const items = picked ? rows.filter(({ id }) => picked.has(id)) : [];
  const most = rows.slice(0, MOST_CHANGED);
  const isAll = most.length > 0 && items.length >= most.length;
  return {
    isOn: picked !== undefined && !isOff,
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
