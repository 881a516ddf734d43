import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MOST_REQUESTS, type NewRequest, type SkipReason } from '#contract/feedback-request/feedback-request.ts';
import { callOrThrow, topicKey } from '../../../data/queries.ts';
import { type DataSource, useSource } from '../../../data/source.ts';
import { useAction } from '../../../data/useAction.ts';
import { t } from '../../../language.ts';
import { useIsShown } from '../../../ui/hooks.ts';

/** Who of a list of customers would be asked, when the first of them, and how many aren't for each reason. */
const requestCheckQuery = (source: DataSource, propertyId: string, requests: readonly NewRequest[]) =>
  queryOptions({
    queryKey: topicKey(source, 'feedbackRequest.add', { propertyId, requests }),
    async queryFn({ signal }) {
      const skipped = new Map<SkipReason, number>();
      const dues: number[] = [];
      let count = 0;
      for (let from = 0; from < requests.length; from += MOST_REQUESTS) {
        const payload = { requests: requests.slice(from, from + MOST_REQUESTS), isDryRun: true };
        const answer = await callOrThrow(source, ['feedbackRequest', 'add', { propertyId, payload }], signal);
        count += answer.count;
        if (answer.due !== undefined) dues.push(answer.due);
        for (const { reason } of answer.skipped) skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
      }
      return { count, due: dues.length > 0 ? Math.min(...dues) : undefined, skipped: [...skipped] };
    },
    // Without a refetch on focus, which would repeat each call.
    ...{ staleTime: Infinity, gcTime: 0 },
  });

/** Returns who of a list would be asked; undefined while that is checked. */
export const useCheck = (propertyId: string, requests: readonly NewRequest[]) =>
  useQuery({ ...requestCheckQuery(useSource(), propertyId, requests), enabled: requests.length > 0 });

/** Adds a list in calls of `MOST_REQUESTS`. After a failure, it continues where it stopped. Once it is no longer shown, it stops. */
export function useAsking(propertyId: string, requests: readonly NewRequest[]) {
  const add = useAction('feedbackRequest', 'add');
  const [added, setAdded] = useState<readonly string[]>([]);
  const [next, setNext] = useState(0);
  const [isPending, setPending] = useState(false);
  const isShown = useIsShown();

  /** Calls `onEnd` with the ids of all new requests, and whether these are the whole list, unless it failed and can continue. */
  async function run(onEnd: (ids: readonly string[], isWhole: boolean) => void): Promise<void> {
    setPending(true);
    let [ids, from, isSuccess] = [added, next, true];
    while (from < requests.length && isSuccess && isShown()) {
      const sent = { propertyId, payload: { requests: requests.slice(from, from + MOST_REQUESTS) } };
      isSuccess = await add.run(sent, (answer) => {
        ids = [...ids, ...answer.added];
        from += MOST_REQUESTS;
        setAdded(ids);
        setNext(from);
      });
    }
    setPending(false);
    if (isSuccess || !isShown()) onEnd(ids, from >= requests.length);
  }

  return { run, isPending, failure: add.failure, done: Math.min(next, requests.length) };
}

/** Returns a function that cancels requests, in calls of `MOST_REQUESTS`. */
export function useCanceling() {
  const cancel = useAction('feedbackRequest', 'cancel', { allowNotFound: true });
  return async (ids: readonly string[]): Promise<boolean> => {
    for (let from = 0; from < ids.length; from += MOST_REQUESTS)
      if (!(await cancel.run({ feedbackRequestIds: ids.slice(from, from + MOST_REQUESTS) }))) return false;
    return true;
  };
}

/** Returns why customers aren't asked, as a label before their number. */
export const skipLabel = (reason: SkipReason, gap: number): string =>
  ({
    repeated: t('In the list more than once'),
    waiting: t('Will be asked already'),
    asked: t.count(gap, 'Asked in the last {count} day', 'Asked in the last {count} days'),
    unsubscribed: t('Unsubscribed'),
    complained: t('Reported an email as spam'),
    bounced: t('The address doesn’t exist'),
    added: t('On your list of addresses not to ask'),
  })[reason];
