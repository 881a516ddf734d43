import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef } from 'react';
import { t } from '../language.ts';
import { Button } from '../ui/theme/mantine.ts';

interface LoadMoreProps {
  readonly query: Pick<UseInfiniteQueryResult, 'data' | 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'>;
  /** The list whose rows it adds. */
  readonly list: RefObject<HTMLUListElement | null>;
  readonly className?: string | undefined;
}

/** The button below a paged list, and a message if loading fails. The first new row takes the focus, because the button is gone after the last page. */
export function LoadMore({ query, list, className }: LoadMoreProps) {
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  /** The number of rows before those that are being loaded. */
  const before = useRef<number>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows arrive with the data
  useEffect(() => {
    const row = before.current === undefined ? undefined : list.current?.children[before.current];
    if (!row) return;
    before.current = undefined;
    if (document.activeElement === document.body || document.activeElement === button.current)
      row.querySelector<HTMLElement>('a, button')?.focus();
  }, [data]);

  function load(): void {
    before.current = list.current?.childElementCount;
    void fetchNextPage().then(({ isFetchNextPageError: isFailed }) => {
      if (isFailed) before.current = undefined;
    });
  }

  if (!hasNextPage) return null;
  return (
    <div className={className}>
      <Button ref={button} variant="default" loading={isFetchingNextPage} onClick={load}>
        {t('Load 25 more')}
      </Button>
      <p role="status">{isFetchNextPageError && !isFetchingNextPage ? t('We couldn’t load more. Try again.') : ''}</p>
    </div>
  );
}
