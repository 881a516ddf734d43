import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addDays, calendarDay, startOfDay } from '#contract/core/time.ts';
import { RATINGS } from '#contract/feedback/rating.ts';
import { average, total } from '#contract/feedback/tally.ts';
import type { Property } from '#contract/property/property.ts';
import { DeleteProperty } from '../../frame/DeleteProperty.tsx';
import { Sparkline } from '../../frame/numbers/Sparkline.tsx';
import { usePanel } from '../../frame/panel.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { paths as site } from '../../paths.ts';
import { Face } from '../../ui/Face.tsx';
import { decimal, formatCount } from '../../ui/format/number.ts';
import { Menu } from '../../ui/layers/overlays.ts';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { toast } from '../../ui/messages/Toasts.tsx';
import { RowMenu } from '../../ui/page/RowMenu.tsx';
import rowStyles from '../../ui/page/Rows.module.css';
import type { PropertyCounts } from './list.ts';
import styles from './PropertyRow.module.css';

interface PropertyRowProps {
  readonly property: Property;
  /** Undefined while loading. */
  readonly counts: PropertyCounts | undefined;
  /** The number of waiting visitors. */
  readonly waiting: number | undefined;
  /** True if the property ever got an answer. */
  readonly hasAnswers: boolean | undefined;
  readonly days: { readonly to: number; readonly zone: string };
}

/** One property with its numbers: a row, or a card on narrow screens. */
export function PropertyRow({ property, counts, waiting, hasAnswers, days }: PropertyRowProps) {
  const { paths } = useTeam();
  const { id, data } = property;
  return (
    <div className={rowStyles['row']}>
      <Link to={paths.propertyFeedback(id)} className={`${rowStyles['open']} ${styles['name']}`}>
        {data.displayName}
      </Link>
      <span className={`${rowStyles['wide']} ${styles['trend']}`}>
        {hasAnswers === false ? (
          <span className={rowStyles['quiet']}>{t('No answers yet')}</span>
        ) : (
          <Trend counts={dailyCounts(counts, days)} />
        )}
      </span>
      <span className={styles['figures']}>
        <Figure name={t.in('figure', 'average')}>{counts && <Average counts={counts} />}</Figure>
        <Figure name={t.in('figure', 'waiting')}>{waiting !== undefined && formatCount(waiting)}</Figure>
        <Figure name={t.in('figure', 'answers')}>{counts && formatCount(total(counts.ratings))}</Figure>
      </span>
      <PropertyMenu property={property} />
    </div>
  );
}

/** The bars with their scale: each property's highest bar is a different number. */
function Trend({ counts }: { counts: readonly number[] }) {
  const most = Math.max(...counts);
  return (
    <>
      <Sparkline counts={counts} />
      {most > 0 && <small>{t('max {count} a day', { count: most })}</small>}
    </>
  );
}

const DAYS = 14;

/** Returns the number of ratings of each of the last 14 days. */
function dailyCounts(counts: PropertyCounts | undefined, { to, zone }: PropertyRowProps['days']): readonly number[] {
  const tomorrow = calendarDay(to, zone);
  const byDay = new Map(counts?.trend.map(({ at, ratings }) => [at, total(ratings)]));
  return Array.from({ length: DAYS }, (_, index) => byDay.get(startOfDay(addDays(tomorrow, index - DAYS), zone)) ?? 0);
}

/** A number with its name for screen readers; the table's head has it for everyone else. */
const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <span className={`${rowStyles['figure']} ${styles['figure']}`}>
    {children ?? ' '} <span className={rowStyles['unit']}>{name}</span>
  </span>
);

/** The average with the nearest face. */
function Average({ counts: { ratings } }: { counts: PropertyCounts }) {
  const mean = average(ratings);
  if (mean === undefined) return '–';
  return (
    <>
      <Face rating={RATINGS[Math.round(mean) - 1] ?? 3} size={20} />
      {decimal(mean)}
    </>
  );
}

/** The actions on a property. Members read why some are missing. */
function PropertyMenu({ property }: { property: Property }) {
  const { paths, user, isDemo } = useTeam();
  const { open } = usePanel();
  const [isAsking, asking] = useLayer(`delete-${property.id}`);
  const { id, data } = property;
  const isAdmin = user.data.level === 'admin';
  const opener = `menu-${id}`;

  async function copy(): Promise<void> {
    const address = new URL(site.form(data.formId), location.origin).href;
    const isCopied = await navigator.clipboard.writeText(address).then(
      () => true,
      () => false,
    );
    if (isCopied) toast(t('Form link copied.'));
    else toast(t('Your browser didn’t allow copying. The link is {address}', { address }), { tone: 'failed' });
  }

  return (
    <span className={`${rowStyles['beside']} ${styles['menu']}`}>
      <RowMenu name={data.displayName} id={opener}>
        <Menu.Item component={Link} to={paths.propertyFeedback(id)}>
          {t('Feedback')}
        </Menu.Item>
        {isAdmin && (
          <Menu.Item component={Link} to={paths.propertyConfiguration(id)}>
            {t('Configuration')}
          </Menu.Item>
        )}
        {!isDemo && <Menu.Item onClick={() => void copy()}>{t('Copy form link')}</Menu.Item>}
        <Menu.Divider />
        {isAdmin ? (
          <>
            <Menu.Item onClick={() => open('property', { place: id, opener })}>{t('Edit name, time zone and links')}</Menu.Item>
            <Menu.Item c="var(--c-danger-text)" onClick={asking.open}>
              {t('Delete')}
            </Menu.Item>
          </>
        ) : (
          <Menu.Label>{t('Only admins can configure or delete a property.')}</Menu.Label>
        )}
      </RowMenu>
      <DeleteProperty property={property} isOpen={isAsking} onClose={asking.close} onDeleted={asking.close} />
    </span>
  );
}
