import type { FeedFilters } from '#contract/feedback/filters.ts';
import { UNASSIGNED } from '#contract/feedback/work.ts';
import type { Shows } from '#contract/saved-view/saved-view.ts';
import type { Scope } from '../scope.ts';
import type { FeedSearch } from '../search.ts';

/** What a feed shows now, as a view keeps it. */
export function shownBy(scope: Scope, { id: _id, view: _view, ...search }: FeedSearch): Shows {
  const filters = Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as FeedFilters;
  return { feed: scope.of, filters: scope.of === 'property' ? { ...filters, property: scope.property.id } : filters };
}

/** What filters name that is there: undefined where that is not loaded yet. */
interface There {
  readonly people: readonly { readonly id: string }[];
  readonly tags: readonly { readonly id: string }[] | undefined;
}

/** What filters name that is gone, in words. A property and a placement that are gone say so in the list's place. */
export function goneFrom({ assignee, tag }: FeedFilters, { people, tags }: There): string[] {
  const isIn = (list: readonly { readonly id: string }[], id: string) => list.some((each) => each.id === id);
  return [
    ...(assignee !== undefined && assignee !== UNASSIGNED && !isIn(people, assignee) ? ['a former teammate'] : []),
    ...(tag !== undefined && tags && !isIn(tags, tag) ? ['a tag that was deleted'] : []),
  ];
}
