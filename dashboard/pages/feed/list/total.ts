import { MOST_RESULTS } from '#contract/feedback/filters.ts';
import { t } from '../../../language.ts';
import { formatCount } from '../../../ui/format/number.ts';
import type { FeedList } from './useFeedList.ts';
import type { Unseen } from './useUnseen.ts';

/** The total number of rows of a list. */
export interface Total {
  readonly count: number;
  /** Counting stopped here; there are more. */
  readonly isAtLeast: boolean;
}

export const exactly = (count: number): Total => ({ count, isAtLeast: false });

/** Returns the total that the server counted, which stops at `MOST_RESULTS`. */
export const totalFrom = (counted: number): Total => (counted > MOST_RESULTS ? { count: MOST_RESULTS, isAtLeast: true } : exactly(counted));

/** "1,204", or "10,000+". */
export const totalInWords = ({ count, isAtLeast }: Total): string => `${formatCount(count)}${isAtLeast ? '+' : ''}`;

type Rows = Pick<FeedList, 'hasMore'> & { readonly rows: readonly unknown[] };

/** Returns the number of results in words, without the new rows that the pill counts. */
export function resultsOf({ rows, hasMore }: Rows, total: Total | undefined, unseen: Pick<Unseen, 'count'>): string {
  if (!hasMore) return t.count(rows.length, '{count} result', '{count} results');
  if (total?.isAtLeast) return t('{total} results', { total: totalInWords(total) });
  const shown = total === undefined ? 0 : total.count - unseen.count;
  return shown > rows.length ? t.count(shown, '{count} result', '{count} results') : t('{count} or more results', { count: rows.length });
}

/** Returns how many rows are shown, for the line below them. */
export const shownOf = ({ length }: readonly unknown[], total: Total | undefined): string =>
  total !== undefined && (total.isAtLeast || total.count >= length)
    ? t('{count} of {total}', { count: length, total: totalInWords(total) })
    : t('{count} shown', { count: length });

/** Returns the total if every row is loaded. */
export const loadedTotal = (
  { rows, hasMore, isOld, status }: Rows & Pick<FeedList, 'isOld' | 'status'>,
  { count, isAtLeast }: Pick<Unseen, 'count' | 'isAtLeast'>,
): Total | undefined => (status !== 'populated' || hasMore || isOld || isAtLeast ? undefined : exactly(rows.length + count));

/** Returns how many visitors are waiting, for the line below the urgent feed's heading. */
export function waitingInWords(total: Total): string {
  if (total.count === 0) return t('No one is waiting');
  return total.isAtLeast
    ? t('{total} visitors are waiting, longest first', { total: totalInWords(total) })
    : t.count(total.count, 'One visitor is waiting', '{count} visitors are waiting, longest first');
}
