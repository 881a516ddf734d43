import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { SavedView } from '#contract/saved-view/saved-view.ts';
import { tagsQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { personName, useTeam } from '../../../frame/team.ts';
import { viewAddress } from '../../../frame/views.ts';
import { t } from '../../../language.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { TextLink } from '../../../ui/page/TextLink.tsx';
import { goneFrom } from './shown.ts';
import type { FeedView } from './useFeedView.ts';

/** The line below a view's name: its feed, its owner and, if the filters changed, links to update or reset it. */
export function ViewLead({ view, open, feed }: { view: FeedView; open: SavedView; feed: string }) {
  const team = useTeam();
  const navigate = useNavigate();
  const { isShared, createdBy } = open.data;
  const isMine = createdBy === team.user.id;
  const whose = !isShared ? 'only you see it' : `shared by ${isMine ? 'you' : personName(team, createdBy)}`;
  return (
    <>
      {feed}, {whose}
      {view.isChanged && (
        <>
          . Filters changed:{' '}
          {view.mayChange && (
            <>
              <TextLink onClick={view.update}>{t('Update view')}</TextLink>
              {' or '}
            </>
          )}
          <TextLink onClick={() => void navigate(viewAddress(open, team))}>{t('show as saved')}</TextLink>
        </>
      )}
    </>
  );
}

/** Names the person or tag in the view's filters that no longer exists. */
export function ViewNotice({ open }: { open: SavedView | undefined }) {
  const { account, users } = useTeam();
  const { data: tags } = useQuery(tagsQuery(useSource(), account.id));
  const gone = open ? goneFrom(open.data.shows.filters, { people: users, tags }) : [];
  if (gone.length === 0) return null;
  return (
    <Notice tone="plain">
      This view filters by {gone.join(' and ')}, so it finds nothing new. Remove that filter and update the view.
    </Notice>
  );
}
