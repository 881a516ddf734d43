import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { average, type Tally, total } from '#contract/feedback.ts';
import type { Property } from '#contract/property.ts';
import { dateRange } from '#contract/time.ts';
import { overviewQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useTeam } from '../../frame/team.ts';
import { useNow } from '../../ui/hooks.ts';
import { localZone } from '../../ui/time.ts';
import { FormAddress } from './FormAddress.tsx';
import styles from './PropertyCard.module.css';
import { Sparkline } from './Sparkline.tsx';

const NOTHING: { ratings: Tally; urgent: number; trend: [] } = { ratings: [0, 0, 0, 0, 0], urgent: 0, trend: [] };

/** One property with its last month. */
export function PropertyCard({ property: { id, data } }: { property: Property }) {
  const { account, paths } = useTeam();
  const zone = localZone();
  const span = dateRange('month', useNow(), zone);
  const { data: all } = useQuery(overviewQuery(useSource(), { accountId: account.id, ...span, zone }));
  const counts = all && (all.find(({ propertyId }) => propertyId === id) ?? NOTHING);
  const mean = counts && average(counts.ratings);
  return (
    <article className={styles['card']}>
      <h2 className={styles['name']}>
        <Link to={paths.propertyFeedback(id)}>{data.displayName}</Link>
      </h2>
      <Sparkline trend={counts?.trend ?? []} span={span} zone={zone} />
      <dl className={styles['numbers']}>
        <Figure name="Average" value={mean?.toFixed(1)} isKnown={counts !== undefined} />
        <Figure name="Answers" value={counts && String(total(counts.ratings))} isKnown={counts !== undefined} />
        <Figure name="Urgent" value={counts && String(counts.urgent)} isKnown={counts !== undefined} />
      </dl>
      <FormAddress formId={data.formId} of={data.displayName} />
    </article>
  );
}

const Figure = ({ name, value, isKnown }: { name: string; value: string | undefined; isKnown: boolean }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value ?? (isKnown ? <span title="No answers in the last month">–</span> : ' ')}</dd>
  </div>
);
