import { useEffect, useEffectEvent } from 'react';

/** How often and for how long a page polls for a confirmation (ms), as the pool's client does for an emailed link. */
const POLL_INTERVAL = 5_000;
const POLL_DURATION = 3 * 60_000;

/**
 * Polls every five seconds for three minutes, and whenever the page becomes visible. `poll` resolves to whether to continue.
 */
export function useConfirmationPoll(poll: () => Promise<boolean>): void {
  const onPoll = useEffectEvent(poll);
  useEffect(() => {
    let isBusy = false;
    const timer = setInterval(() => void pollOnce(), POLL_INTERVAL);
    const end = setTimeout(() => clearInterval(timer), POLL_DURATION);
    document.addEventListener('visibilitychange', onVisibilityChange);
    return stop;

    function stop(): void {
      clearInterval(timer);
      clearTimeout(end);
      document.removeEventListener('visibilitychange', onVisibilityChange);
    }

    function onVisibilityChange(): void {
      if (document.visibilityState === 'visible') void pollOnce();
    }

    async function pollOnce(): Promise<void> {
      if (isBusy) return;
      isBusy = true;
      if (!(await onPoll())) stop();
      isBusy = false;
    }
  }, []);
}
