import { useEffect } from 'react';
import { create } from 'zustand';

/** The number of open dialogs. */
const useCount = create<{ readonly open: number }>()(() => ({ open: 0 }));

const add = (count: number): void => useCount.setState(({ open }) => ({ open: open + count }));

/** Registers an open dialog, so that Escape closes only the dialog. */
export function useDialogAbove(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    add(1);
    return () => add(-1);
  }, [isOpen]);
}

/** Returns true while a dialog is open. */
export const useHasDialogAbove = (): boolean => useCount(({ open }) => open > 0);
