import { IconSearchOff } from '@tabler/icons-react';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CallError, messageOf } from '../data/errors.ts';
import { useDelayed } from '../ui/hooks.ts';
import { EmptyState } from '../ui/messages/EmptyState.tsx';
import rowStyles from '../ui/page/Rows.module.css';
import { Button } from '../ui/theme/mantine.ts';

interface PagedListProps<Row> {
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

const SKELETONS = Array.from({ length: 10 }, (_, index) => index);

/** A paged list in each of its states (docs/rules.md#list-states). */
export function PagedList<Row>({ name, columns, heads, rows, keyOf, search, query, children }: PagedListProps<Row>) {
  const isSlow = useDelayed(rows === undefined && !query.error);
  if (rows === undefined && query.error) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  if (rows?.length === 0)
    return (
      <div className={rowStyles['rows']}>
        <EmptyState
          icon={<IconSearchOff size={32} stroke={1.5} aria-hidden />}
          title={search ? 'No match.' : `No ${name.toLowerCase()}.`}
        />
      </div>
    );
  return (
    <div
      className={rowStyles['rows']}
      style={{ '--columns': columns, '--narrow': '112px' } as object}
      aria-busy={rows === undefined || query.isPlaceholderData}
    >
      {heads.length > 0 && (
        <div className={rowStyles['head']} aria-hidden>
          {heads.map((head) => (
            <span key={head}>{head}</span>
          ))}
        </div>
      )}
      <ul aria-label={name}>
        {rows ? rows.map((row) => <li key={keyOf(row)}>{children(row)}</li>) : isSlow && SKELETONS.map((index) => <Skeleton key={index} />)}
      </ul>
      {query.hasNextPage && (
        <div className={rowStyles['more']}>
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
    <div className={rowStyles['row']}>
      <span className={rowStyles['skeleton']} />
    </div>
  </li>
);

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <div className={rowStyles['rows']}>
      <EmptyState role="alert" title="We couldn’t load this list." action={<Button onClick={onRetry}>Try again</Button>}>
        {messageOf(error)}
        {error instanceof CallError && error.requestId && ` Request ${error.requestId}.`}
      </EmptyState>
    </div>
  );
}
