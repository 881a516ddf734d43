import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { SavedView } from '#contract/saved-view/saved-view.ts';
import { savedViewsQuery } from '../data/queries.ts';
import { useSource } from '../data/source.ts';
import type { Paths } from '../paths.ts';
import { type Team, useTeam } from './team.ts';

const NONE: readonly SavedView[] = [];

/** Returns the caller's saved views and the team's, by name; none while they load. */
export function useSavedViews(): readonly SavedView[] {
  const { account, isTeamless } = useTeam();
  return useQuery({ ...savedViewsQuery(useSource(), account.id), enabled: !isTeamless }).data ?? NONE;
}

/** Returns the saved view in the address, if the caller may see it (docs/rules.md#saved-views). */
export function useOpenView(): SavedView | undefined {
  const { view: id }: { view?: unknown } = useSearch({ strict: false });
  return useSavedViews().find((view) => view.id === id);
}

/** Returns the address of a saved view. It includes the filters, so that a teammate can open it without the view. */
export function viewAddress(
  { id, data }: SavedView,
  { paths, properties }: Pick<Team, 'properties'> & { readonly paths: Paths },
): { to: string; search: Record<string, unknown> } {
  const { feed, filters } = data.shows;
  const { property, ...others } = filters;
  if (feed === 'urgent') return { to: paths.urgent, search: { ...filters, view: id } };
  // A deleted property has no page to show the view on.
  if (feed === 'property' && property !== undefined && properties.some((each) => each.id === property))
    return { to: paths.propertyFeedback(property), search: { ...others, view: id } };
  return { to: paths.feed, search: { ...filters, view: id } };
}
