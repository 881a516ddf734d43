import { useEffect, useMemo } from 'react';
import { create } from 'zustand';

/** How many overlays were opened. */
let opened = 0;
/** The numbers of the open overlays. */
const useOpen = create<readonly number[]>()(() => []);

/** Registers an open overlay, and returns whether it's the topmost, which is the one that Escape closes. */
export function useIsTopmost(isOpen: boolean): boolean {
  // Counted while rendering, because an overlay renders before those above it.
  const number = useMemo(() => {
    if (isOpen) opened += 1;
    return isOpen ? opened : 0;
  }, [isOpen]);
  useEffect(() => {
    if (number === 0) return undefined;
    useOpen.setState((open) => [...open, number], true);
    return () => useOpen.setState((open) => open.filter((each) => each !== number), true);
  }, [number]);
  return useOpen((open) => Math.max(0, ...open) === number);
}
