import { useQuery } from '@tanstack/react-query';
import { dateRange } from '#contract/time.ts';
import { summaryQuery } from '../data/queries.ts';
import { useSource } from '../data/source.ts';
import { useNow } from '../ui/hooks.ts';
import { localZone } from '../ui/time.ts';
import { useTeam } from './team.ts';

/** How much urgent feedback the urgent page starts with. The same question as the feed's, so it is asked once. */
export function useUrgentCount(): number | undefined {
  const { account } = useTeam();
  const zone = localZone();
  const query = { accountId: account.id, ...dateRange('month', useNow(), zone), zone, grain: 'day' } as const;
  return useQuery(summaryQuery(useSource(), query)).data?.urgent;
}
