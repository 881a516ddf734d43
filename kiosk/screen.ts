import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react';
import type { ThemeName } from '#contract/brand/colors.ts';
import { MINUTE } from '#contract/core/time.ts';

/** Keeps the screen on while the page is visible, where the browser can. */
export function useWakeLock(): void {
  useEffect(() => {
    const lock = (): void => {
      // Refused on a low battery; the tablet's own setting decides then.
      if (document.visibilityState === 'visible') navigator.wakeLock?.request('screen').catch(() => undefined);
    };
    lock();
    document.addEventListener('visibilitychange', lock);
    return () => document.removeEventListener('visibilitychange', lock);
  }, []);
}

/** How far the picture moves (px). */
const REACH = 6;

/** Moves the picture a little every minute, so that it doesn't burn into the screen. */
export function useBurnInGuard(): void {
  useEffect(() => {
    let minutes = 0;
    const timer = setInterval(() => {
      minutes += 1;
      const [x, y] = [Math.cos(minutes), Math.sin(minutes)].map((part) => `${Math.round(REACH * part)}px`);
      document.documentElement.style.setProperty('--shift', `${x} ${y}`);
    }, MINUTE);
    return () => clearInterval(timer);
  }, []);
}

const darkTheme = matchMedia('(prefers-color-scheme: dark)');

/** Returns the tablet's theme, which the page has too. */
export function useTheme(): ThemeName {
  const theme = useSyncExternalStore(watchTheme, () => (darkTheme.matches ? 'dark' : 'light'));
  useLayoutEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return theme;
}

function watchTheme(onChange: () => void): () => void {
  darkTheme.addEventListener('change', onChange);
  return () => darkTheme.removeEventListener('change', onChange);
}
