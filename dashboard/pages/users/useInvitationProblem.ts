import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import type { Delivery } from '#contract/delivery.ts';
import { MINUTE } from '#contract/time.ts';
import type { User } from '#contract/user.ts';
import { deliveriesQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useTeam } from '../../frame/team.ts';

/** Between two looks at an invitation that was just sent (ms), and for how long: each of many people is looked at by itself. */
const LOOKS_AGAIN = 3_000;
const LOOKED_AT_FOR = MINUTE;

/** Why the newest invitation to somebody was given up, as the sent messages say it; undefined where it was not. For admins. */
export function useInvitationProblem({ data: { emailAddress, invited } }: User): string | undefined {
  const { account, isDemo } = useTeam();
  const { data } = useInfiniteQuery({
    ...deliveriesQuery(useSource(), { accountId: account.id, search: emailAddress, status: undefined }),
    enabled: invited === true && !isDemo,
    refetchInterval: ({ state }) => (isOnItsWay(newestTo(emailAddress, state.data)) ? LOOKS_AGAIN : false),
  });
  const newest = newestTo(emailAddress, data);
  return newest?.data.status === 'failed' ? (newest.data.lastError ?? 'It could not be sent') : undefined;
}

type DeliveryPages = InfiniteData<{ readonly deliveries: readonly Delivery[] }, unknown>;

const newestTo = (address: string, pages: DeliveryPages | undefined): Delivery | undefined =>
  pages?.pages.flatMap(({ deliveries }) => deliveries).find(({ data: { reason, to } }) => reason === 'user.invited' && to === address);

const isOnItsWay = (newest: Delivery | undefined): boolean =>
  newest?.data.status === 'queued' && Date.now() - newest.data.created < LOOKED_AT_FOR;
