import { useQuery } from '@tanstack/react-query';
import type { Property } from '#contract/property/property.ts';
import { isStaff } from '#contract/tool/tool.ts';
import { insightQuery, toolsQuery, topicsQuery, wordsQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { usePeriod } from '../../frame/numbers/period-search.ts';
import { countsRequest, useCounts } from '../../frame/numbers/useCounts.ts';
import { useTeam } from '../../frame/team.ts';
import { localZone } from '../../ui/format/time.ts';
import { useDelayed, useLastDefined, useNow } from '../../ui/hooks.ts';

/** The default period. */
const USUAL = 'month';

export type Overview = ReturnType<typeof useOverview>;

/** Returns the numbers of the account, or of a property, in the address's period. */
export function useOverview(property: Property | undefined) {
  const { account, properties } = useTeam();
  const source = useSource();
  const now = useNow();
  const zone = localZone();
  const [period, choosePeriod] = usePeriod(USUAL);
  const subject = property ? { propertyId: property.id } : { accountId: account.id };
  const request = countsRequest(subject, period, { account, now, zone });
  const counts = useCounts(request, { period, isShown: true });
  const { from, to } = request.now;
  const insight = useQuery(insightQuery(source, { ...subject, from, to, zone }));
  const words = useQuery(wordsQuery(source, { ...subject, from, to }));
  const topics = useQuery(topicsQuery(source, account.id));
  const tools = useQuery({ ...toolsQuery(source, account.id), enabled: property !== undefined });
  const shown = useLastDefined(
    counts.shown && insight.data && !counts.isOld && (property === undefined || !tools.isPending)
      ? { counts: counts.shown, insight: insight.data }
      : undefined,
  );
  const failed = counts.failed || insight.isError;
  const isOld = counts.isOld || insight.isPending;
  const ofProperty = (tools.data ?? []).filter(({ gs1sk }) => gs1sk === property?.id);
  return {
    ...{ property, period, choosePeriod, now, zone, shown, words, topics, failed, isOld, from, to },
    /** The start of the previous period, if there is one. */
    before: request.before?.from,
    properties: property ? [] : properties,
    placements: ofProperty.filter((tool) => !isStaff(tool)),
    staff: ofProperty.filter(isStaff),
    isLoading: useDelayed(!shown && !failed),
    retry() {
      counts.retry();
      if (insight.isError) void insight.refetch();
    },
  };
}

/** The shown numbers. The previous period's stay until the chosen one's are loaded. */
export type Shown = NonNullable<Overview['shown']>;
