import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useDocumentTitle, useInterval, useMediaQuery } from './theme/mantine.ts';
import { WIDE } from './theme/media.ts';

/** Loading indicators appear after this time (ms). */
const APPEARS_AFTER = 250;
/** They stay at least this long (ms). */
const STAYS_FOR = 400;

/** Returns true while a loading indicator should be shown: after 250 ms, then for at least 400 ms, so that nothing flickers. */
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

/** Returns the value, or the last defined one while it is undefined. */
export function useLastDefined<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}

/** Returns a function that stays the same and calls the latest `run`, so that what it is passed to needn't render again. */
export function useStable<A extends readonly unknown[], R>(run: (...args: A) => R): (...args: A) => R {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}

/** Returns a function that returns whether the component is still on the page, for answers that come late. */
export function useIsShown(): () => boolean {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return useCallback(() => isShown.current, []);
}

const INTERACTIONS = ['pointerdown', 'pointermove', 'keydown', 'touchstart'];
const STARTS_FOR = 5_000;

/** Returns false until the first interaction or five seconds after mount. Non-essential code loads after that. */
export function useIsAfterStart(): boolean {
  const [isAfter, setAfter] = useState(false);
  useEffect(() => {
    if (isAfter) return;
    const end = () => setAfter(true);
    const timer = setTimeout(end, STARTS_FOR);
    for (const name of INTERACTIONS) addEventListener(name, end, { once: true, passive: true });
    return () => {
      clearTimeout(timer);
      for (const name of INTERACTIONS) removeEventListener(name, end);
    };
  }, [isAfter]);
  return isAfter;
}

/** Returns true if the window fits the navigation and two columns. */
export const useIsWide = (): boolean => useMediaQuery(WIDE, true, { getInitialValueInEffect: false }) ?? true;

const FIRST_FIELD = 'input:not([hidden]):not([type=hidden]):not(:disabled)';

/**
 * Moves the focus on a change of step to the first field, or else the first button. Attach the returned ref to the element that
 * contains every step. The first step, after undefined, takes no focus.
 */
export function useFocusOnStep<E extends HTMLElement>(step: unknown): RefObject<E | null> {
  const element = useRef<E>(null);
  const previous = useRef(step);
  useEffect(() => {
    const isFirst = previous.current === undefined;
    if (previous.current === step) return;
    previous.current = step;
    if (isFirst) return;
    const { current } = element;
    (current?.querySelector<HTMLElement>(FIRST_FIELD) ?? current?.querySelector<HTMLElement>('button:not(:disabled)'))?.focus();
  }, [step]);
  return element;
}

/**
 * Returns the ref of an element with `tabIndex={-1}`. It takes the focus, without scrolling, if a change of step removed the element that
 * had it. The first step, after undefined, takes no focus.
 */
export function useFocusIfLost<E extends HTMLElement>(step: unknown): RefObject<E | null> {
  const element = useRef<E>(null);
  const previous = useRef(step);
  useEffect(() => {
    const isChange = previous.current !== undefined && previous.current !== step;
    previous.current = step;
    if (isChange && document.activeElement === document.body) element.current?.focus({ preventScroll: true });
  }, [step]);
  return element;
}

const MINUTE = 60_000;

/** Returns the current time (UTC ms), updated every minute. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), MINUTE, { autoInvoke: true });
  return now;
}

/** Sets the page's title. */
export const useTitle = (title: string): void => useDocumentTitle(`${title} · Afterword`);
