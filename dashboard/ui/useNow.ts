import { useState } from 'react';
import { useInterval } from './mantine.ts';

const MINUTE = 60_000;

/** The moment, told anew every minute: "2 m" becomes "3 m" and today becomes another day. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), MINUTE, { autoInvoke: true });
  return now;
}
