import { createContext, type Dispatch, type SetStateAction, useContext, useEffect } from 'react';

const HoldContext = createContext<Dispatch<SetStateAction<number>> | undefined>(undefined);

/** Counts the forms in an overlay that hold it open. */
export const HoldProvider = HoldContext.Provider;

/** Keeps the overlay around a form with unsaved changes open when someone clicks beside it. */
export function useHold(isDirty: boolean): void {
  const setHolds = useContext(HoldContext);
  useEffect(() => {
    if (!isDirty) return undefined;
    setHolds?.((count) => count + 1);
    return () => setHolds?.((count) => count - 1);
  }, [setHolds, isDirty]);
}
