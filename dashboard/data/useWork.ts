import { useRef, useState } from 'react';
import { fieldProblem, inWords } from './errors.ts';

export interface Work {
  readonly isBusy: boolean;
  /** Why the last try did not work, in words for a person. */
  readonly failure: string | undefined;
  /** What the server said of one field then. */
  problemOf(field: string): string | undefined;
  /** True when it worked. A second call while the first is under way does nothing. */
  run(work: () => Promise<unknown>): Promise<boolean>;
  /** Takes the failure away: something was changed since. */
  forgive(): void;
}

/** One thing that can be done, one at a time, and what came of it. */
export function useWork(): Work {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<{ readonly is: unknown }>();
  const running = useRef(false);
  return {
    isBusy,
    failure: error && inWords(error.is),
    problemOf: (field) => error && fieldProblem(error.is, field),
    forgive: () => setError(undefined),
    async run(work) {
      if (running.current) return false;
      running.current = true;
      setBusy(true);
      setError(undefined);
      try {
        await work();
        return true;
      } catch (is) {
        setError({ is });
        return false;
      } finally {
        running.current = false;
        setBusy(false);
      }
    },
  };
}
