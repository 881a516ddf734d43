import { Link } from '@tanstack/react-router';
import { FEWEST_RANKED, likelyMean } from '#contract/core/interval.ts';
import { type ComparedKind, placesSentence, type RatedPlace, rankPlaces } from '#contract/core/sentences.ts';
import { average, NO_RATINGS, total } from '#contract/feedback/tally.ts';
import { translatable } from '#contract/language/translate.ts';
import type { Property } from '#contract/property/property.ts';
import type { Tool } from '#contract/tool/tool.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { decimal, formatCount } from '../../ui/format/number.ts';
import { Card } from '../../ui/page/Page.tsx';
import styles from './Overview.module.css';
import type { Overview, Shown } from './useOverview.ts';

/** Compares the account's properties, or a property's placements and its staff, by average and likely range. */
export const Places = ({ overview: { properties, placements, staff }, shown }: { overview: Overview; shown: Shown }) => (
  <>
    <Comparison kind="properties" places={properties} shown={shown} />
    <Comparison kind="placements" places={placements} shown={shown} />
    <Comparison kind="staff" places={staff} shown={shown} />
  </>
);

const COMPARISONS = translatable({
  properties: {
    title: 'Properties compared',
    caption: 'Properties by average; with fewer than {fewest} ratings without a rank',
    column: 'Property',
  },
  placements: {
    title: 'Placements compared',
    caption: 'Placements by average; with fewer than {fewest} ratings without a rank',
    column: 'Placement',
  },
  staff: {
    title: 'Staff members compared',
    caption: 'Staff members by average; with fewer than {fewest} ratings without a rank',
    column: 'Name',
  },
});

interface ComparisonProps {
  readonly kind: ComparedKind;
  readonly places: readonly (Property | Tool)[];
  readonly shown: Shown;
}

function Comparison({ kind, places, shown: { insight } }: ComparisonProps) {
  const counts = new Map(insight.places.map(({ id, ratings }) => [id, ratings]));
  const order = rankPlaces(
    places.map(({ id, data }): RatedPlace => ({ id, name: data.displayName, ratings: counts.get(id) ?? NO_RATINGS })),
  );
  const { title, caption, column } = COMPARISONS[kind];
  if (places.length < 2) return null;
  return (
    <Card title={t(title)} lead={placesSentence(t, order, kind)}>
      <table className={styles['places']}>
        <caption className="visually-hidden">{t(caption, { fewest: FEWEST_RANKED })}</caption>
        <thead>
          <tr>
            <th scope="col">{t(column)}</th>
            <th scope="col" className={styles['scale']}>
              {t('Average and likely range')}
            </th>
            <th scope="col">{t('Ratings')}</th>
          </tr>
        </thead>
        <tbody>
          {[...order.ranked, ...order.unranked].map((place, index) => (
            <PlaceRow
              key={place.id}
              place={place}
              rank={index < order.ranked.length ? index + 1 : undefined}
              isProperty={kind === 'properties'}
            />
          ))}
        </tbody>
      </table>
      <p className={styles['key']}>
        {t('The line shows the likely range of the average (95% confidence). Two whose lines overlap may be equally good.')}
      </p>
    </Card>
  );
}

interface PlaceRowProps {
  readonly place: RatedPlace;
  readonly rank: number | undefined;
  readonly isProperty: boolean;
}

function PlaceRow({ place: { id, name, ratings }, rank, isProperty }: PlaceRowProps) {
  const { paths } = useTeam();
  const [mean, likely] = [average(ratings), likelyMean(ratings)];
  return (
    <tr>
      <th scope="row">
        <span className={styles['named']}>
          <span className={styles['rank']}>{rank === undefined ? '' : `${rank}.`}</span>
          {isProperty ? (
            <Link to={paths.propertyOverview(id)} className="touch-link">
              {name}
            </Link>
          ) : (
            name
          )}
        </span>
      </th>
      <td className={styles['scale']}>
        {rank === undefined || mean === undefined || likely === undefined ? (
          <span className={styles['few']}>{t('Too few to compare')}</span>
        ) : (
          <>
            <span className={styles['mean']}>{decimal(mean)}</span>
            <span className={styles['range']} aria-hidden="true">
              <span style={{ left: onScale(likely.from), right: `calc(100% - ${onScale(likely.to)})` }} />
              <i style={{ left: onScale(mean) }} />
            </span>
            <span className={styles['ends']}>
              {t('{lowest} to {highest}', { lowest: decimal(likely.from), highest: decimal(likely.to) })}
            </span>
          </>
        )}
      </td>
      <td>{formatCount(total(ratings))}</td>
    </tr>
  );
}

/** Returns the position of a rating from 1 to 5 on the line. */
const onScale = (rating: number): string => `${((rating - 1) / 4) * 100}%`;
