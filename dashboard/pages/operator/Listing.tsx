import { IconSearchOff } from '@tabler/icons-react';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CallError, inWords } from '../../data/errors.ts';
import { useDelayed } from '../../ui/hooks.ts';
import { Button } from '../../ui/mantine.ts';
import styles from '../../ui/Rows.module.css';
import { State } from '../../ui/State.tsx';

interface ListingProps<Row> {
  readonly name: string;
  readonly columns: string;
  readonly heads: readonly string[];
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  readonly search: string;
  readonly query: Pick<
    UseInfiniteQueryResult,
    'error' | 'isPlaceholderData' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage' | 'refetch'
  >;
  readonly children: (row: Row) => ReactNode;
}

const SKELETONS = Array.from({ length: 10 }, (_, place) => place);

/** A long list in each of its states (design §7). */
export function Listing<Row>({ name, columns, heads, rows, keyOf, search, query, children }: ListingProps<Row>) {
  const isSlow = useDelayed(rows === undefined && !query.error);
  if (rows === undefined && query.error) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  if (rows?.length === 0)
    return (
      <div className={styles['rows']}>
        <State icon={<IconSearchOff size={32} stroke={1.5} aria-hidden />} title={search ? 'No match.' : `No ${name.toLowerCase()}.`} />
      </div>
    );
  return (
    <div
      className={styles['rows']}
      style={{ '--columns': columns, '--narrow': '112px' } as object}
      aria-busy={rows === undefined || query.isPlaceholderData}
    >
      <div className={styles['head']} aria-hidden>
        {heads.map((head) => (
          <span key={head}>{head}</span>
        ))}
      </div>
      <ul aria-label={name}>
        {rows ? rows.map((row) => <li key={keyOf(row)}>{children(row)}</li>) : isSlow && SKELETONS.map((place) => <Skeleton key={place} />)}
      </ul>
      {query.hasNextPage && (
        <div className={styles['more']}>
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load 25 more
          </Button>
        </div>
      )}
    </div>
  );
}

const Skeleton = () => (
  <li>
    <div className={styles['row']}>
      <span className={styles['skeleton']} />
    </div>
  </li>
);

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <div className={styles['rows']}>
      <State role="alert" title="This list could not be loaded." action={<Button onClick={onRetry}>Try again</Button>}>
        {inWords(error)}
        {error instanceof CallError && error.requestId && ` Request ${error.requestId}.`}
      </State>
    </div>
  );
}
