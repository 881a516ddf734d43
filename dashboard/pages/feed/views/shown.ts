import type { FeedFilters } from '#contract/feedback/filters.ts';
import { UNASSIGNED } from '#contract/feedback/work.ts';
import type { Shows } from '#contract/saved-view/saved-view.ts';
import { t } from '../../../language.ts';
import type { Scope } from '../scope.ts';
import type { FeedSearch } from '../search.ts';

/** Returns the feed and filters as a view stores them. */
export function shownBy(scope: Scope, { id: _id, view: _view, ...search }: FeedSearch): Shows {
  const filters = Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as FeedFilters;
  return { feed: scope.of, filters: scope.of === 'property' ? { ...filters, property: scope.property.id } : filters };
}

/** The people and tags that exist; undefined until loaded. */
interface Existing {
  readonly people: readonly { readonly id: string }[];
  readonly tags: readonly { readonly id: string }[] | undefined;
}

/** Returns the deleted people and tags in the filters, in words. The list itself reports a deleted property or placement. */
export function goneFrom({ assignee, tag }: FeedFilters, { people, tags }: Existing): string[] {
  const isIn = (list: readonly { readonly id: string }[], id: string) => list.some((each) => each.id === id);
  return [
    ...(assignee !== undefined && assignee !== UNASSIGNED && !isIn(people, assignee) ? [t('a former teammate')] : []),
    ...(tag !== undefined && tags && !isIn(tags, tag) ? [t('a deleted tag')] : []),
  ];
}
