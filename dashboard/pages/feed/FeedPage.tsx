import { useParams } from '@tanstack/react-router';
import { isNamed } from '#contract/property.ts';
import { DATE_FILTERS, type DateFilter as Range } from '#contract/time.ts';
import { NotAvailable } from '../../frame/Access.tsx';
import { useTeam } from '../../frame/team.ts';
import { Kbd, SegmentedControl } from '../../ui/mantine.ts';
import { Page } from '../../ui/Page.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { DetailPane, DetailSheet } from './detail/DetailPane.tsx';
import styles from './FeedPage.module.css';
import { FilterMenu } from './filters/FilterMenu.tsx';
import { FilterPills } from './filters/FilterPills.tsx';
import { RANGE_LABELS } from './labels.ts';
import { FeedRows, NewPill, Results } from './list/FeedRows.tsx';
import { Suspected } from './list/Suspected.tsx';
import { isCounted, type Scope, totalOf } from './scope.ts';
import { DEFAULT_RANGE, NO_FILTERS } from './search.ts';
import { Summary } from './summary/Summary.tsx';
import { type Feed, useFeed } from './useFeed.ts';

/* The three feeds. Each starts anew: rows of one never stand under the heading of another. */

export const AllFeedback = () => <FeedPage key="account" scope={{ of: 'account' }} title="All feedback" />;

export const UrgentFeedback = () => <FeedPage key="urgent" scope={{ of: 'urgent' }} title="Urgent" />;

/** A property is named by its id or by its name, dashed and lowercase (docs/rules.md#property-addresses). */
export function PropertyFeedback() {
  const { properties } = useTeam();
  const { propertyId = '' } = useParams({ strict: false });
  const property = properties.find((each) => isNamed(propertyId, each));
  if (!property) return <NotAvailable />;
  return <FeedPage key={property.id} scope={{ of: 'property', property }} title={property.data.displayName} />;
}

/** What visitors said: in numbers, as a list, and one of them in full. */
function FeedPage({ scope, title }: { scope: Scope; title: string }) {
  const feed = useFeed(scope);
  const { search, change, list, counts, selection, now, isWide } = feed;
  const { range = DEFAULT_RANGE, rating, id } = search;
  const isEmpty = (list.status === 'empty' || list.status === 'error') && id === undefined;
  return (
    <Page
      title={title}
      lead={scope.of === 'urgent' ? describeUrgent(counts?.urgent) : undefined}
      actions={
        <>
          <DateFilter range={range} onChange={(chosen) => change({ range: chosen === DEFAULT_RANGE ? undefined : chosen })} />
          {isWide && <FilterMenu scope={scope} search={search} onChange={change} isWide />}
        </>
      }
    >
      {scope.of !== 'urgent' && (
        <Summary
          queries={feed.summaryQueries}
          range={range}
          rating={rating}
          onRate={(chosen) => change({ rating: chosen })}
          isPartial={!isCounted(search)}
          isWide={isWide}
        />
      )}
      <FilterPills search={search} onChange={change} />
      {scope.of !== 'urgent' && <Suspected count={counts?.suspected ?? 0} search={search} change={change} list={list} />}
      <div className={styles['split']} data-empty={isEmpty || undefined}>
        <section className={styles['list']} aria-label="List">
          <ListBar feed={feed} />
          <NewPill unseen={feed.unseen} />
          <Results list={list} isNarrowed={feed.isNarrowed} />
          <FeedRows
            scope={scope}
            list={list}
            openId={selection.shownId}
            total={totalOf(scope, search, counts)}
            isNarrowed={feed.isNarrowed}
            onClear={() => change({ ...NO_FILTERS, range: undefined })}
            now={now}
          />
        </section>
        {isWide ? <DetailPane selection={selection} now={now} /> : <DetailSheet selection={selection} now={now} />}
      </div>
    </Page>
  );
}

const ListBar = ({ feed: { scope, search, change, searchBox, isWide } }: { feed: Feed }) => (
  <div className={styles['bar']}>
    <SearchField
      ref={searchBox}
      label="Search feedback"
      placeholder={isWide ? 'Search what visitors wrote' : 'Search'}
      value={search.q ?? ''}
      onSearch={(text) => change({ q: text || undefined })}
      settles={300}
      shortcut="/"
      hint={isWide && <Kbd size="xs">/</Kbd>}
    />
    {!isWide && <FilterMenu scope={scope} search={search} onChange={change} isWide={false} />}
  </div>
);

function describeUrgent(count: number | undefined): string {
  if (count === undefined) return ' ';
  if (count === 0) return 'No low ratings and nobody to call back in this period';
  return count === 1 ? 'One visitor rated low or wants to be contacted' : `${count} visitors rated low or want to be contacted`;
}

const PERIODS = DATE_FILTERS.map((value) => ({ value, label: RANGE_LABELS[value] }));

const DateFilter = ({ range, onChange }: { range: Range; onChange: (range: Range) => void }) => (
  <SegmentedControl
    aria-label="Period"
    data={PERIODS}
    value={range}
    onChange={onChange}
    withItemsBorders={false}
    classNames={{ root: styles['periods'] ?? '', indicator: styles['chosen'] ?? '', label: styles['period'] ?? '' }}
  />
);
