import { areSameShows, mayChangeView, type SavedView, type Shows } from '#contract/saved-view/saved-view.ts';
import { useAction } from '../../../data/useAction.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { useTeam } from '../../../frame/team.ts';
import { useOpenView } from '../../../frame/views.ts';
import { toast } from '../../../ui/messages/Toasts.tsx';
import type { Scope } from '../scope.ts';
import type { ChangeSearch, FeedSearch } from '../search.ts';
import { shownBy } from './shown.ts';

/** The saved view that a feed is shown by, if any, and how it differs from what is shown. */
export interface FeedView {
  readonly open: SavedView | undefined;
  /** What the feed shows now. */
  readonly shows: Shows;
  /** Something is set that a view can keep. */
  readonly isNarrowed: boolean;
  /** The filters are not those of the view any more. */
  readonly isChanged: boolean;
  readonly mayChange: boolean;
  /** Gives the view these filters. */
  readonly update: () => void;
  /** Says which view this is; undefined is none. The filters stay. */
  readonly setOpen: (id: string | undefined) => void;
}

export function useFeedView(scope: Scope, search: FeedSearch, change: ChangeSearch): FeedView {
  const { user } = useTeam();
  const isReadOnly = useReadOnly() !== undefined;
  const open = useOpenView();
  const save = useAction('savedView', 'save');
  const shows = shownBy(scope, search);

  async function update(): Promise<void> {
    if (!open) return;
    const before = open.data.shows;
    const set = (wanted: Shows) => save.run({ payload: { id: open.id, data: { shows: wanted } } });
    if (await set(shows)) toast(`${open.data.displayName} was updated.`, { action: { label: 'Undo', run: () => void set(before) } });
    else toast('The view was not updated.', { tone: 'failed', action: { label: 'Try again', run: () => void update() } });
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
