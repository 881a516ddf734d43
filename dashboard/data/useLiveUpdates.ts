import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { topicKey } from './queries.ts';
import { type LiveEvent, useSource } from './source.ts';

/** Many visitors at once are one reason to look, not many. */
const GATHER = 150;
const CHANGES_FEED: ReadonlySet<LiveEvent['name']> = new Set(['feedback.submitted', 'feedback.amended', 'missed']);

/** Hears what happens and asks anew for what it may have changed: the counts, what came since, what is open. */
export function useLiveUpdates(): void {
  const source = useSource();
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = source.listen((event) => {
      if (event.name === 'feedback.amended')
        void client.invalidateQueries({ queryKey: topicKey(source, 'feedback', event.subject) });
      if (CHANGES_FEED.has(event.name)) timer ??= setTimeout(lookAgain, GATHER);
    });
    return () => {
      clearTimeout(timer);
      silence();
    };

    function lookAgain(): void {
      timer = undefined;
      void client.invalidateQueries({ queryKey: topicKey(source, 'summary') });
      void client.invalidateQueries({ queryKey: topicKey(source, 'head') });
    }
  }, [source, client]);
}
