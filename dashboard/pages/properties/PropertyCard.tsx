import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { average, type Tally, total } from '#contract/feedback.ts';
import type { Property } from '#contract/property.ts';
import { addDays, calendarDay, dateRange, type Range, startOfDay } from '#contract/time.ts';
import { overviewQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useTeam } from '../../frame/team.ts';
import { paths } from '../../paths.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { useNow } from '../../ui/hooks.ts';
import { Button } from '../../ui/mantine.ts';
import { localZone } from '../../ui/time.ts';
import styles from './PropertyCard.module.css';

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

/** Where visitors answer. The demo's forms are nobody's, so there they are only shown. */
function FormAddress({ formId, of }: { formId: string; of: string }) {
  const { isDemo } = useTeam();
  const address = new URL(paths.form(formId), location.origin);
  return (
    <div className={styles['form']}>
      <p className={styles['address']}>
        <span>Form</span>
        {address.host}
        <wbr />
        {address.pathname}
      </p>
      {isDemo ? (
        <p className={styles['note']}>A form of the demo: not open to visitors</p>
      ) : (
        <div className={styles['formActions']}>
          <CopyButton text={address.href} of={`the form’s address of ${of}`} />
          <Button
            component="a"
            href={address.pathname}
            target="_blank"
            rel="noopener"
            variant="default"
            leftSection={<IconExternalLink size={16} aria-hidden />}
          >
            Open
            <span className="visually-hidden"> the form of {of} in a new tab</span>
          </Button>
        </div>
      )}
    </div>
  );
}

const DAYS = 14;
const BAR = 8;
const HEIGHT = 32;

interface SparklineProps {
  readonly trend: readonly { readonly at: number; readonly ratings: Tally }[];
  readonly span: Range;
  readonly zone: string;
}

/** How many answers each of the last two weeks' days brought. Its numbers stand beside it in words. */
function Sparkline({ trend, span: { to }, zone }: SparklineProps) {
  const tomorrow = calendarDay(to, zone);
  const days = Array.from({ length: DAYS }, (_, index) => startOfDay(addDays(tomorrow, index - DAYS), zone));
  const counts = days.map((at) => total(trend.find((bucket) => bucket.at === at)?.ratings ?? [0, 0, 0, 0, 0]));
  const most = Math.max(1, ...counts);
  return (
    <svg className={styles['bars']} viewBox={`0 0 ${DAYS * BAR} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {counts.map((count, index) => {
        const height = count === 0 ? 1 : (count / most) * HEIGHT;
        return (
          <rect
            key={days[index]}
            x={index * BAR + 1}
            y={HEIGHT - height}
            width={BAR - 2}
            height={height}
            rx={1}
            data-none={count === 0 || undefined}
          />
        );
      })}
    </svg>
  );
}
