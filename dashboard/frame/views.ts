import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { SavedView } from '#contract/saved-view/saved-view.ts';
import { savedViewsQuery } from '../data/queries.ts';
import { useSource } from '../data/source.ts';
import type { Paths } from '../paths.ts';
import { type Team, useTeam } from './team.ts';

const NONE: readonly SavedView[] = [];

/** One's own saved views and the team's, by name; none while they load. */
export function useSavedViews(): readonly SavedView[] {
  const { account, isTeamless } = useTeam();
  return useQuery({ ...savedViewsQuery(useSource(), account.id), enabled: !isTeamless }).data ?? NONE;
}

/** The saved view that the address names, where one sees it (docs/rules.md#saved-views). */
export function useOpenView(): SavedView | undefined {
  const { view: id }: { view?: unknown } = useSearch({ strict: false });
  return useSavedViews().find((view) => view.id === id);
}

/** Where a saved view is shown. Its filters stand in the address, so that the address alone is enough for a teammate. */
export function viewAddress(
  { id, data }: SavedView,
  { paths, properties }: Pick<Team, 'properties'> & { readonly paths: Paths },
): { to: string; search: Record<string, unknown> } {
  const { feed, filters } = data.shows;
  const { property, ...others } = filters;
  if (feed === 'urgent') return { to: paths.urgent, search: { ...filters, view: id } };
  // The page of a property that is gone could not say which view it is.
  if (feed === 'property' && property !== undefined && properties.some((each) => each.id === property))
    return { to: paths.propertyFeedback(property), search: { ...others, view: id } };
  return { to: paths.feed, search: { ...filters, view: id } };
}
