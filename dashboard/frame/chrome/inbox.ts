import { useQuery } from '@tanstack/react-query';
import { inboxQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useTeam } from '../team.ts';

/** The team's waiting visitors and this person's unread feedback. */
interface InboxCounts {
  /** Returns how many visitors wait, in total or for one property. */
  waiting(propertyId?: string): number;
  readonly unread: number;
}

/** Returns the inbox counts; undefined while they load. */
export function useInbox(): InboxCounts | undefined {
  const { account, isTeamless } = useTeam();
  const { data } = useQuery({ ...inboxQuery(useSource(), account.id), enabled: !isTeamless });
  return (
    data && {
      unread: data.unread,
      waiting: (propertyId) =>
        data.waiting.filter((row) => propertyId === undefined || row.propertyId === propertyId).reduce((sum, { count }) => sum + count, 0),
    }
  );
}
