import type { Counts } from '../../frame/numbers/useCounts.ts';
import { createSafeContext } from '../../ui/theme/mantine.ts';
import type { Filters } from './filters/useFilterState.ts';
import type { Total } from './list/total.ts';
import type { FeedList } from './list/useFeedList.ts';
import type { Unseen } from './list/useUnseen.ts';
import type { Selection } from './selection.ts';
import type { Bulk } from './work/useBulkState.ts';
import type { WorkActions } from './work/useWorkState.ts';

/* A feed's state in six contexts, so that a component renders again only when the state it uses changes. */

const MISSING = 'A part of the feed was rendered outside FeedProvider';

/** The rows, those that arrived since, and how many there are. */
export interface FeedContent {
  readonly list: FeedList;
  readonly unseen: Unseen;
  /** The total number of rows, if known. */
  readonly total: Total | undefined;
  /** An empty list needs no search box, and no detail beside it. */
  readonly isBare: boolean;
}

export const [FiltersContext, useFilters] = createSafeContext<Filters>(MISSING);
export const [FeedContentContext, useFeedContent] = createSafeContext<FeedContent>(MISSING);
export const [CountsContext, useFeedCounts] = createSafeContext<Counts>(MISSING);
export const [SelectionContext, useSelection] = createSafeContext<Selection>(MISSING);
export const [WorkContext, useWork] = createSafeContext<WorkActions>(MISSING);
export const [BulkContext, useBulk] = createSafeContext<Bulk>(MISSING);
