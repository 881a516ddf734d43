import { Link } from '@tanstack/react-router';
import { likelyMean } from '#contract/core/interval.ts';
import { formatCount, placesSentence, type RatedPlace, rankPlaces } from '#contract/core/sentences.ts';
import { average, total } from '#contract/feedback/feedback.ts';
import { FEWEST_RANKED } from '#contract/insight/insight.ts';
import type { Property } from '#contract/property/property.ts';
import type { Tool } from '#contract/tool/tool.ts';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { Card } from '../../ui/page/Page.tsx';
import styles from './Overview.module.css';
import type { Overview, Shown } from './useOverview.ts';

/** Compares the account's properties, or a property's placements and its staff, by average and likely range. */
export const Places = ({ overview: { properties, placements, staff }, shown }: { overview: Overview; shown: Shown }) => (
  <>
    <Comparison title="Properties" places={properties} shown={shown} />
    <Comparison title="Placements" places={placements} shown={shown} />
    <Comparison title="Staff members" places={staff} shown={shown} />
  </>
);

const SINGULAR = { Properties: 'Property', Placements: 'Placement', 'Staff members': 'Name' };

interface ComparisonProps {
  readonly title: keyof typeof SINGULAR;
  readonly places: readonly (Property | Tool)[];
  readonly shown: Shown;
}

function Comparison({ title, places, shown: { insight } }: ComparisonProps) {
  const counts = new Map(insight.places.map(({ id, ratings }) => [id, ratings]));
  const order = rankPlaces(
    places.map(({ id, data }): RatedPlace => ({ id, name: data.displayName, ratings: counts.get(id) ?? [0, 0, 0, 0, 0] })),
  );
  if (places.length < 2) return null;
  return (
    <Card title={`${title} compared`} lead={placesSentence(order, title)}>
      <table className={styles['places']}>
        <caption className="visually-hidden">
          {title} by average; with fewer than {FEWEST_RANKED} ratings without a rank
        </caption>
        <thead>
          <tr>
            <th scope="col">{SINGULAR[title]}</th>
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
              isProperty={title === 'Properties'}
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
          {isProperty ? <Link to={paths.propertyOverview(id)}>{name}</Link> : name}
        </span>
      </th>
      <td className={styles['scale']}>
        {rank === undefined || mean === undefined || likely === undefined ? (
          <span className={styles['few']}>{t('Too few to compare')}</span>
        ) : (
          <>
            <span className={styles['mean']}>{mean.toFixed(1)}</span>
            <span className={styles['range']} aria-hidden="true">
              <span style={{ left: onScale(likely.from), right: `calc(100% - ${onScale(likely.to)})` }} />
              <i style={{ left: onScale(mean) }} />
            </span>
            <span className={styles['ends']}>
              {likely.from.toFixed(1)} to {likely.to.toFixed(1)}
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
