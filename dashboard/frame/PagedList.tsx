import { IconSearchOff } from '@tabler/icons-react';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { CallError, messageOf } from '../data/errors.ts';
import { t } from '../language.ts';
import { useDelayed } from '../ui/hooks.ts';
import { EmptyState, NotLoaded } from '../ui/messages/EmptyState.tsx';
import { ColumnHeads, type Columns, widthsOf } from '../ui/page/Columns.tsx';
import rowStyles from '../ui/page/Rows.module.css';
import { LoadMore } from './LoadMore.tsx';

interface PagedListProps<Row> {
  readonly name: string;
  /** Shown if there are no rows and nothing is searched for. */
  readonly empty: string;
  /** Each column's title and width; a list without them has one column, without a title. */
  readonly columns?: Columns;
  readonly keyOf: (row: Row) => string;
  readonly search: string;
  /** Its data are the rows of every page. */
  readonly query: Pick<
    UseInfiniteQueryResult<readonly Row[]>,
    'data' | 'error' | 'isPlaceholderData' | 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage' | 'refetch'
  >;
  readonly children: (row: Row) => ReactNode;
}

const SKELETONS = Array.from({ length: 10 }, (_, index) => index);

/** A paged list in each of its states (docs/rules.md#list-states). */
export function PagedList<Row>({ name, empty, columns, keyOf, search, query, children }: PagedListProps<Row>) {
  const { data: rows } = query;
  const list = useRef<HTMLUListElement>(null);
  const isSlow = useDelayed(rows === undefined && !query.error);
  if (rows === undefined && query.error) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  if (rows?.length === 0)
    return (
      <div className={rowStyles['rows']}>
        <EmptyState icon={<IconSearchOff size={32} stroke={1.5} aria-hidden />} title={search ? t('No match.') : empty} />
      </div>
    );
  return (
    <div className={rowStyles['rows']} style={widthsOf(columns)} aria-busy={rows === undefined || query.isPlaceholderData}>
      {columns && <ColumnHeads titles={Object.keys(columns)} />}
      <ul ref={list} aria-label={name}>
        {rows ? rows.map((row) => <li key={keyOf(row)}>{children(row)}</li>) : isSlow && SKELETONS.map((index) => <Skeleton key={index} />)}
      </ul>
      <LoadMore query={query} list={list} className={rowStyles['more']} />
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
      <NotLoaded title={t('We couldn’t load this list.')} onRetry={onRetry}>
        {messageOf(error)}
        {error instanceof CallError && error.requestId && ` ${t('Request {id}.', { id: error.requestId })}`}
      </NotLoaded>
    </div>
  );
}
