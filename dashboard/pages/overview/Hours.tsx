import type { CSSProperties, ReactNode } from 'react';
import { average, NO_RATINGS, type Tally, total } from '#contract/feedback/tally.ts';
import { FEWEST_BY_HOUR, type HourOfWeek } from '#contract/insight/insight.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { decimal, formatCount } from '../../ui/format/number.ts';
import { day, weekdays } from '../../ui/format/time.ts';
import { useIsWide } from '../../ui/hooks.ts';
import { Card } from '../../ui/page/Page.tsx';
import { FaceColors } from './FaceColors.tsx';
import styles from './Overview.module.css';
import { hourLabel, hoursSentence, sumOf } from './sentences.ts';
import { AsTable } from './Table.tsx';
import type { Overview, Shown } from './useOverview.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** A heat map of ratings by hour of the week. */
export function Hours({ overview, shown: { counts, insight } }: { overview: Overview; shown: Shown }) {
  const { cells, from } = insight.hours;
  const all = cells.reduce((sum, { ratings }) => sum + total(ratings), 0);
  const isCut = from > counts.query.from;
  return (
    <Card title={t('Hours of the week')} lead={hoursSentence(cells)}>
      {all >= FEWEST_BY_HOUR && (
        <>
          <Week cells={cells}>
            <Clock overview={overview} />
            {isCut && ` ${t('Ratings since {date}.', { date: day(from) })}`}
          </Week>
          <AsTable>
            <WeekTable cells={cells} />
          </AsTable>
        </>
      )}
    </Card>
  );
}

/** Names the time zone of the hours. */
function Clock({ overview: { property, zone } }: { overview: Overview }) {
  const { properties } = useTeam();
  const zones = new Set((property ? [property] : properties).map(({ data }) => data.timeZone ?? zone));
  const [first] = zones;
  return zones.size > 1
    ? t('Times are in each property’s time zone.')
    : t('Times are in {zone}.', { zone: first?.replaceAll('_', ' ') ?? '' });
}

const ratingsAt = (cells: readonly HourOfWeek[], weekday: number, hour: number): Tally =>
  cells.find((cell) => cell.weekday === weekday && cell.hour === hour)?.ratings ?? NO_RATINGS;

/** The hours per column on a phone, because an average needs the width of three. */
const HOURS_ON_PHONE = 3;

/** The heat map: the number and color are the average, the bar is the count. Hidden from screen readers; the table below has the numbers. */
function Week({ cells, children }: { cells: readonly HourOfWeek[]; children: ReactNode }) {
  const span = useIsWide() ? 1 : HOURS_ON_PHONE;
  const columns = HOURS.filter((hour) => hour % span === 0);
  const short = weekdays('short');
  const rows = weekdays().map((name, index) => ({
    ...{ name, short: short[index] },
    tallies: columns.map((hour) =>
      sumOf(cells.filter((cell) => cell.weekday === index + 1 && cell.hour >= hour && cell.hour < hour + span)),
    ),
  }));
  const most = Math.max(1, ...rows.flatMap(({ tallies }) => tallies.map(total)));
  return (
    <>
      <div className={styles['week']} style={{ '--columns': columns.length } as CSSProperties} aria-hidden="true">
        {rows.map(({ name, short: shortName, tallies }) => (
          <div key={name} className={styles['weekday']}>
            <span>{shortName}</span>
            {tallies.map((ratings, index) => (
              <HourCell key={columns[index]} name={`${name}, ${hourLabel(index * span)}`} ratings={ratings} most={most} />
            ))}
          </div>
        ))}
        <div className={styles['weekday']}>
          <span />
          {columns.map((hour) => (
            <small key={hour}>{hour % 3 === 0 ? hour : ''}</small>
          ))}
        </div>
      </div>
      <FaceColors />
      <p className={styles['key']}>
        {span > 1
          ? t('Number and color: the average rating over {hours} hours. Bar: the number of ratings; a full bar is {most}.', {
              hours: span,
              most,
            })
          : t('Number and color: the average rating. Bar: the number of ratings; a full bar is {most}.', { most })}{' '}
        {children}
      </p>
    </>
  );
}

interface HourCellProps {
  readonly name: string;
  readonly ratings: Tally;
  /** The count of a full bar. */
  readonly most: number;
}

function HourCell({ name, ratings, most }: HourCellProps) {
  const mean = average(ratings);
  return (
    <i
      title={describe(name, ratings)}
      data-rating={mean === undefined ? undefined : Math.round(mean)}
      style={{ '--share': `${(total(ratings) / most) * 100}%` } as CSSProperties}
    >
      {mean !== undefined && decimal(mean)}
    </i>
  );
}

const describe = (hour: string, ratings: Tally): string => {
  const mean = average(ratings);
  return mean === undefined
    ? t('{hour}: no ratings', { hour })
    : t('{hour}: {ratings}, {average} on average', { hour, ratings: total(ratings), average: decimal(mean) });
};

function WeekTable({ cells }: { cells: readonly HourOfWeek[] }) {
  const names = weekdays();
  const hours = HOURS.filter((hour) => cells.some((cell) => cell.hour === hour));
  return (
    <table>
      <caption>{t('Ratings by hour of the week, with their average')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Hour')}</th>
          {names.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {hours.map((hour) => (
          <tr key={hour}>
            <th scope="row">{hourLabel(hour)}</th>
            {names.map((name, index) => {
              const ratings = ratingsAt(cells, index + 1, hour);
              const mean = average(ratings);
              return <td key={name}>{mean === undefined ? '–' : `${formatCount(total(ratings))} (${decimal(mean)})`}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
