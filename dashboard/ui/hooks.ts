import { useEffect, useState } from 'react';
import { useDocumentTitle, useInterval, useMediaQuery } from './mantine.ts';

const APPEARS_AFTER = 250;
const STAYS_FOR = 400;

/** True while something takes long enough to say so: from 250 ms on, and then for 400 ms at least, so that nothing flickers. */
export function useDelayed(busy: boolean): boolean {
  const [since, setSince] = useState<number>();
  const isShown = since !== undefined;
  useEffect(() => {
    if (busy === isShown) return;
    const wait = busy ? APPEARS_AFTER : Math.max(0, (since ?? 0) + STAYS_FOR - performance.now());
    const timer = setTimeout(() => setSince(busy ? performance.now() : undefined), wait);
    return () => clearTimeout(timer);
  }, [busy, isShown, since]);
  return isShown;
}

/** Whether the window has room for the navigation and two columns beside it. */
export const useIsWide = (): boolean => useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false }) ?? true;

const MINUTE = 60_000;

/** The moment, read anew every minute: "2 m" becomes "3 m" and today becomes another day. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), MINUTE, { autoInvoke: true });
  return now;
}

/** The page's name in the tab and in the history. */
export const useTitle = (title: string): void => useDocumentTitle(`${title} · Afterword`);
