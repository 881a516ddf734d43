import { useEffect } from 'react';

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
