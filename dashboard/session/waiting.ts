import { useEffect, useEffectEvent } from 'react';

/** How often a page that waits for a confirmation looks, and for how long (ms), as the pool's client does for a mailed link. */
const LOOKS_EVERY = 5_000;
const LOOKS_FOR = 3 * 60_000;

/**
 * Looks whether something has happened elsewhere: every five seconds for three minutes, and after that whenever the page is seen
 * again. `look` resolves to whether to go on.
 */
export function useWaiting(look: () => Promise<boolean>): void {
  const onLook = useEffectEvent(look);
  useEffect(() => {
    let isBusy = false;
    const timer = setInterval(() => void again(), LOOKS_EVERY);
    const end = setTimeout(() => clearInterval(timer), LOOKS_FOR);
    document.addEventListener('visibilitychange', whenSeen);
    return stop;

    function stop(): void {
      clearInterval(timer);
      clearTimeout(end);
      document.removeEventListener('visibilitychange', whenSeen);
    }

    function whenSeen(): void {
      if (document.visibilityState === 'visible') void again();
    }

    async function again(): Promise<void> {
      if (isBusy) return;
      isBusy = true;
      if (!(await onLook())) stop();
      isBusy = false;
    }
  }, []);
}
