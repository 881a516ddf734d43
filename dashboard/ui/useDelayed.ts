import { useEffect, useState } from 'react';

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
