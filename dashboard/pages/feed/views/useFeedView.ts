import { areSameShows, mayChangeView, type SavedView, type Shows } from '#contract/saved-view/saved-view.ts';
import { useAction } from '../../../data/useAction.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { useTeam } from '../../../frame/team.ts';
import { useOpenView } from '../../../frame/views.ts';
import { t } from '../../../language.ts';
import { toast } from '../../../ui/messages/Toasts.tsx';
import type { Scope } from '../scope.ts';
import type { ChangeSearch, FeedSearch } from '../search.ts';
import { shownBy } from './shown.ts';

/** The open saved view, if any, and how the feed's filters differ from it. */
export interface FeedView {
  readonly open: SavedView | undefined;
  /** The current feed and filters. */
  readonly shows: Shows;
  /** There is a filter or period to save. */
  readonly isNarrowed: boolean;
  /** The filters differ from the view's. */
  readonly isChanged: boolean;
  readonly mayChange: boolean;
  /** Saves the current filters to the view. */
  readonly update: () => void;
  /** Sets the open view, or none; the filters stay. */
  readonly setOpen: (id: string | undefined) => void;
}

export function useFeedView(scope: Scope, search: FeedSearch, change: ChangeSearch): FeedView {
  const { user } = useTeam();
  const isReadOnly = useReadOnly() !== undefined;
  const open = useOpenView();
  const save = useAction('savedView', 'save');
  const shows = shownBy(scope, search);

  async function update(): Promise<void> {
    if (!open || save.isPending) return;
    const previous = open.data.shows;
    const set = (next: Shows) => save.run({ payload: { id: open.id, data: { shows: next } } });
    if (await set(shows))
      toast(t('{name} was updated.', { name: open.data.displayName }), { action: { label: t('Undo'), run: () => void set(previous) } });
    else toast(t('We couldn’t update the view.'), { tone: 'failed', action: { label: t('Try again'), run: () => void update() } });
  }

  return {
    open,
    shows,
    isNarrowed: Object.keys(shows.filters).length > (scope.of === 'property' ? 1 : 0),
    isChanged: open !== undefined && !areSameShows(shows, open.data.shows),
    mayChange: open !== undefined && !isReadOnly && mayChangeView({ userId: user.id, level: user.data.level }, open),
    update: () => void update(),
    setOpen: (view) => change({ view, id: search.id }, { replace: true }),
  };
}
