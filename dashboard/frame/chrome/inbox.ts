import { useQuery } from '@tanstack/react-query';
import { inboxQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useTeam } from '../team.ts';

/** What waits for the team and for this person. */
export interface InboxCounts {
  /** How many visitors wait: of one property where it is named. */
  waiting(propertyId?: string): number;
  readonly unread: number;
}

/** Undefined until it is known. */
export function useInbox(): InboxCounts | undefined {
  const { account, isTeamless } = useTeam();
  const { data } = useQuery({ ...inboxQuery(useSource(), account.id), enabled: !isTeamless });
  return (
    data && {
      unread: data.unread,
      waiting: (propertyId) =>
        data.waiting
          .filter((each) => propertyId === undefined || each.propertyId === propertyId)
          .reduce((sum, { count }) => sum + count, 0),
    }
  );
}
