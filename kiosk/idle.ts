import { useEffect, useEffectEvent } from 'react';

/** Calls `onIdle` after this long without a touch or a key (ms), once. Starts again when the time changes. */
export function useIdle(after: number, onIdle: () => void): void {
  const onEnd = useEffectEvent(onIdle);
  useEffect(() => {
    let timer = setTimeout(onEnd, after);
    const restart = (): void => {
      clearTimeout(timer);
      timer = setTimeout(onEnd, after);
    };
    const events = ['pointerdown', 'keydown', 'input'] as const;
    for (const event of events) addEventListener(event, restart);
    return () => {
      clearTimeout(timer);
      for (const event of events) removeEventListener(event, restart);
    };
  }, [after]);
}
