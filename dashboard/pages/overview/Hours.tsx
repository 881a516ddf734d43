import { average, type Tally, total } from '#contract/feedback/feedback.ts';
import { FEWEST_BY_HOUR, type HourOfWeek } from '#contract/insight/insight.ts';
import { useTeam } from '../../frame/team.ts';
import { day } from '../../ui/format/time.ts';
import { Card } from '../../ui/page/Page.tsx';
import styles from './Overview.module.css';
import { hourLabel, hoursSentence, WEEKDAYS } from './sentences.ts';
import { AsTable } from './Table.tsx';
import type { Overview, Shown } from './useOverview.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const NONE: Tally = [0, 0, 0, 0, 0];

/** A heat map of ratings by hour of the week. */
export function Hours({ overview, shown: { counts, insight } }: { overview: Overview; shown: Shown }) {
  const { cells, from } = insight.hours;
  const all = cells.reduce((sum, { ratings }) => sum + total(ratings), 0);
  const isCut = from > counts.query.from;
  return (
    <Card title="Hours of the week" lead={hoursSentence(cells)}>
      {all >= FEWEST_BY_HOUR && (
        <>
          <Week cells={cells} />
          <p className={styles['key']}>
            <Clock overview={overview} />
            {isCut && ` Ratings since ${day(from)}.`}
          </p>
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
  return zones.size > 1 ? 'Times are in each property’s time zone.' : `Times are in ${first?.replaceAll('_', ' ')}.`;
}

const ratingsAt = (cells: readonly HourOfWeek[], weekday: number, hour: number): Tally =>
  cells.find((cell) => cell.weekday === weekday && cell.hour === hour)?.ratings ?? NONE;

/** The heat map. Hidden from screen readers; the table below has the numbers. */
function Week({ cells }: { cells: readonly HourOfWeek[] }) {
  const most = Math.max(1, ...cells.map(({ ratings }) => total(ratings)));
  return (
    <div className={styles['week']} aria-hidden="true">
      {WEEKDAYS.map((name, place) => (
        <div key={name} className={styles['weekday']}>
          <span>{name.slice(0, 3)}</span>
          {HOURS.map((hour) => {
            const ratings = ratingsAt(cells, place + 1, hour);
            const count = total(ratings);
            return (
              <i
                key={hour}
                title={`${name}, ${hourLabel(hour)}: ${describe(ratings)}`}
                style={{ '--level': `${count === 0 ? 0 : 15 + (count / most) * 85}%` } as React.CSSProperties}
              />
            );
          })}
        </div>
      ))}
      <div className={styles['weekday']}>
        <span />
        {HOURS.map((hour) => (
          <small key={hour}>{hour % 6 === 0 ? hour : ''}</small>
        ))}
      </div>
    </div>
  );
}

const describe = (ratings: Tally): string => {
  const mean = average(ratings);
  return mean === undefined ? 'no ratings' : `${total(ratings)}, ${mean.toFixed(1)} on average`;
};

function WeekTable({ cells }: { cells: readonly HourOfWeek[] }) {
  const hours = HOURS.filter((hour) => cells.some((cell) => cell.hour === hour));
  return (
    <table>
      <caption>Ratings by hour of the week, with their average</caption>
      <thead>
        <tr>
          <th scope="col">Hour</th>
          {WEEKDAYS.map((name) => (
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
            {WEEKDAYS.map((name, place) => {
              const ratings = ratingsAt(cells, place + 1, hour);
              const mean = average(ratings);
              return <td key={name}>{mean === undefined ? '–' : `${total(ratings)} (${mean.toFixed(1)})`}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
