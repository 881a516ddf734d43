import { type RefObject, useEffect, useRef, useState } from 'react';
import { useDocumentTitle, useInterval, useMediaQuery } from './theme/mantine.ts';
import { WIDE } from './theme/media.ts';

/** What takes no longer needs no sign that it is under way (ms). */
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

/** The newest value that was there: what was known before, until something new is. */
export function useHeld<T>(value: T | undefined): T | undefined {
  const held = useRef(value);
  if (value !== undefined) held.current = value;
  return held.current;
}

const SIGNS_OF_LIFE = ['pointerdown', 'pointermove', 'keydown', 'touchstart'];
const STARTS_FOR = 5_000;

/** False until somebody does something with the page, or it has been there for five seconds: what it can do without comes after. */
export function useIsAfterStart(): boolean {
  const [isAfter, setAfter] = useState(false);
  useEffect(() => {
    if (isAfter) return;
    const end = () => setAfter(true);
    const timer = setTimeout(end, STARTS_FOR);
    for (const name of SIGNS_OF_LIFE) addEventListener(name, end, { once: true, passive: true });
    return () => {
      clearTimeout(timer);
      for (const name of SIGNS_OF_LIFE) removeEventListener(name, end);
    };
  }, [isAfter]);
  return isAfter;
}

/** Whether the window has room for the navigation and two columns beside it. */
export const useIsWide = (): boolean => useMediaQuery(WIDE, true, { getInitialValueInEffect: false }) ?? true;

const FIRST_FIELD = 'input:not([hidden]):not([type=hidden]):not(:disabled)';

/**
 * On a change of step the focus goes to its first field; where there is none, to the button that leads on. The element holds all
 * steps; undefined is none yet, and what loads first takes no focus.
 */
export function useFocusOnStep<E extends HTMLElement>(step: unknown): RefObject<E | null> {
  const element = useRef<E>(null);
  const before = useRef(step);
  useEffect(() => {
    const isFirst = before.current === undefined;
    if (before.current === step) return;
    before.current = step;
    if (isFirst) return;
    const { current } = element;
    (current?.querySelector<HTMLElement>(FIRST_FIELD) ?? current?.querySelector<HTMLElement>('button:not(:disabled)'))?.focus();
  }, [step]);
  return element;
}

const MINUTE = 60_000;

/** The moment, read anew every minute: "2 m" becomes "3 m" and today becomes another day. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), MINUTE, { autoInvoke: true });
  return now;
}

/** The page's name in the tab and in the history. */
export const useTitle = (title: string): void => useDocumentTitle(`${title} · Afterword`);
