import { IconChartBar } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { total } from '#contract/feedback/tally.ts';
import type { Property } from '#contract/property/property.ts';
import { isPropertyNamed } from '#contract/property/slug.ts';
import { NotAvailable } from '../../frame/Access.tsx';
import { PropertySwitch } from '../../frame/chrome/PropertySwitch.tsx';
import { useShortcuts } from '../../frame/chrome/shortcuts.ts';
import { PeriodChoice } from '../../frame/numbers/PeriodChoice.tsx';
import { adjacentPeriod, periodLabel } from '../../frame/numbers/period.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { EmptyState } from '../../ui/messages/EmptyState.tsx';
import { LoadFailed } from '../../ui/messages/LoadFailed.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { Button } from '../../ui/theme/mantine.ts';
import { FunnelCard } from './FunnelCard.tsx';
import { Hours } from './Hours.tsx';
import styles from './Overview.module.css';
import { Places } from './Places.tsx';
import { Ratings } from './Ratings.tsx';
import { Topics } from './Topics.tsx';
import { TrendCard } from './TrendCard.tsx';
import { type Overview, type Shown, useOverview } from './useOverview.ts';
import { Words } from './Words.tsx';

/* The overviews of the account and of a property. The keys remount the page, so that one's numbers never appear under another's heading. */

export const AccountOverview = () => <OverviewPage key="account" property={undefined} />;

/** The address has the property's id, or its name in lowercase with dashes (docs/rules.md#property-addresses). */
export function PropertyOverview() {
  const { properties } = useTeam();
  const { propertyId = '' } = useParams({ strict: false });
  const property = properties.find((each) => isPropertyNamed(propertyId, each));
  return property ? <OverviewPage key={property.id} property={property} /> : <NotAvailable />;
}

function OverviewPage({ property }: { property: Property | undefined }) {
  const overview = useOverview(property);
  const { period, choosePeriod, now } = overview;
  const name = property?.data.displayName;
  useShortcuts((command) => {
    if (command.do === 'period') choosePeriod({ name: adjacentPeriod(period, command.by) });
    return command.do === 'period';
  });
  return (
    <Page
      title={name ?? t('Overview')}
      tabTitle={name === undefined ? t('Overview') : t('{name}: overview', { name })}
      beside={
        <div className={styles['period']}>
          <PeriodChoice period={period} now={now} onChange={choosePeriod} />
        </div>
      }
      actions={property && <PropertySwitch propertyId={property.id} at="overview" />}
    >
      <Numbers overview={overview} />
    </Page>
  );
}

function Numbers({ overview }: { overview: Overview }) {
  const { shown, failed, isOld, isLoading, retry } = overview;
  if (!shown) return failed ? <NotCounted onRetry={retry} /> : <Skeleton isShown={isLoading} />;
  return (
    <div className={styles['numbers']} aria-busy={(isOld && !failed) || undefined}>
      {failed && <Outdated overview={overview} shown={shown} />}
      {total(shown.counts.ratings) === 0 ? <NoRatings overview={overview} shown={shown} /> : <Cards overview={overview} shown={shown} />}
    </div>
  );
}

const Cards = ({ overview, shown }: { overview: Overview; shown: Shown }) => (
  <>
    <div className={styles['pair']}>
      <Ratings shown={shown} />
      <FunnelCard shown={shown} />
    </div>
    <TrendCard shown={shown} />
    <Places overview={overview} shown={shown} />
    <Hours overview={overview} shown={shown} />
    <Topics overview={overview} />
    <Words overview={overview} />
  </>
);

/** States which numbers are shown after the requested ones failed to load. */
const Outdated = ({ overview: { period, retry }, shown }: { overview: Overview; shown: Shown }) => (
  <LoadFailed onRetry={retry}>
    {periodLabel(shown.counts.period) === periodLabel(period)
      ? t('Couldn’t refresh these numbers.')
      : t('We couldn’t load the ratings for “{period}”. Still showing “{shown}”.', {
          period: periodLabel(period),
          shown: periodLabel(shown.counts.period),
        })}
  </LoadFailed>
);

function NoRatings({ overview: { period, choosePeriod }, shown }: { overview: Overview; shown: Shown }) {
  const { views } = shown.insight.funnel;
  const { paths } = useTeam();
  return (
    <div className={styles['alone']}>
      <EmptyState
        icon={<IconChartBar size={32} stroke={1.5} aria-hidden />}
        title={period.name === 'all' ? t('No ratings yet') : t('No ratings in this period')}
        action={
          period.name === 'all' ? (
            <Button component={Link} to={paths.feed}>
              {t('Get your first rating')}
            </Button>
          ) : (
            <Button variant="default" onClick={() => choosePeriod({ name: 'all' })}>
              {t('Show all time')}
            </Button>
          )
        }
      >
        {views === 0
          ? t('The form wasn’t opened either.')
          : t.count(views, 'The form was opened once.', 'The form was opened {count} times.')}
      </EmptyState>
    </div>
  );
}

const NotCounted = ({ onRetry }: { onRetry: () => void }) => (
  <div className={styles['alone']}>
    <EmptyState
      role="alert"
      title={t('We couldn’t load the ratings.')}
      action={
        <Button variant="default" onClick={onRetry}>
          {t('Try again')}
        </Button>
      }
    />
  </div>
);

/** Placeholders as high as the cards. */
const Skeleton = ({ isShown }: { isShown: boolean }) => (
  <div className={styles['numbers']} aria-busy="true" data-shown={isShown || undefined}>
    <div className={styles['pair']}>
      <div className={styles['blank']} />
      <div className={styles['blank']} />
    </div>
    <div className={styles['blank']} data-tall />
    <div className={styles['blank']} />
    <div className={styles['blank']} data-tall />
  </div>
);
