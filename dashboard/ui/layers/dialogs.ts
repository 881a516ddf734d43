import { useEffect } from 'react';
import { create } from 'zustand';

/** How many dialogs lie open, above whatever panel. */
const useCount = create<{ readonly open: number }>()(() => ({ open: 0 }));

const add = (count: number): void => useCount.setState(({ open }) => ({ open: open + count }));

/** Says that a dialog lies open, so that Escape closes it and nothing below. */
export function useDialogAbove(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    add(1);
    return () => add(-1);
  }, [isOpen]);
}

/** Whether a dialog lies above. */
export const useHasDialogAbove = (): boolean => useCount(({ open }) => open > 0);
