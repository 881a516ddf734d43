import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { SavedView } from '#contract/saved-view/saved-view.ts';
import { tagsQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { personName, useTeam } from '../../../frame/team.ts';
import { viewAddress } from '../../../frame/views.ts';
import { t } from '../../../language.ts';
import { allOf } from '../../../ui/format/list.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { TextLink } from '../../../ui/page/TextLink.tsx';
import { Rich } from '../../../ui/Rich.tsx';
import { goneFrom } from './shown.ts';
import type { FeedView } from './useFeedView.ts';

/** The line below a view's name: its feed, its owner and, if the filters changed, links to update or reset it. */
export function ViewLead({ view, open, feed }: { view: FeedView; open: SavedView; feed: string }) {
  const team = useTeam();
  const navigate = useNavigate();
  const { isShared, createdBy } = open.data;
  const isMine = createdBy === team.user.id;
  const ownLead = isShared ? t('{feed}, shared by you', { feed }) : t('{feed}, only you see it', { feed });
  return (
    <>
      {isShared && !isMine ? t('{feed}, shared by {name}', { feed, name: personName(team, createdBy) }) : ownLead}
      {view.isChanged && (
        <>
          {'. '}
          <Rich
            text={
              view.mayChange
                ? t('Filters changed: <update>Update view</update> or <reset>show as saved</reset>')
                : t('Filters changed: <reset>show as saved</reset>')
            }
            parts={{
              update: (text) => <TextLink onClick={view.update}>{text}</TextLink>,
              reset: (text) => <TextLink onClick={() => void navigate(viewAddress(open, team))}>{text}</TextLink>,
            }}
          />
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
      {t('This view filters by {filters}, so it finds nothing new. Remove that filter and update the view.', { filters: allOf(gone) })}
    </Notice>
  );
}
