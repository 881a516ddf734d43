import { useEffect, useState } from 'react';

const MINUTE = 60_000;

/** The moment, told anew every minute: "2 m" becomes "3 m" and today becomes another day. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  return now;
}
