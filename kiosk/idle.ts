import { useEffect, useEffectEvent } from 'react';

/** Calls `onIdle` each time that this long has passed without a touch or a key (ms). Starts again when the time changes. */
export function useIdle(after: number, onIdle: () => void): void {
  const onEnd = useEffectEvent(onIdle);
  useEffect(() => {
    let timer = setInterval(onEnd, after);
    const restart = (): void => {
      clearInterval(timer);
      timer = setInterval(onEnd, after);
    };
    const events = ['pointerdown', 'keydown', 'input'] as const;
    for (const event of events) addEventListener(event, restart);
    return () => {
      clearInterval(timer);
      for (const event of events) removeEventListener(event, restart);
    };
  }, [after]);
}
