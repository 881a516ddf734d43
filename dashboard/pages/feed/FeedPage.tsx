import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type RefObject, useRef } from 'react';
import { total } from '#contract/feedback.ts';
import { isNamed } from '#contract/property.ts';
import { DATE_FILTERS, type DateFilter as Range } from '#contract/time.ts';
import { summaryQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useTeam } from '../../frame/data.tsx';
import { NotAvailable } from '../../frame/NotAvailable.tsx';
import { useShortcuts } from '../../frame/shortcuts.ts';
import { Kbd, SegmentedControl } from '../../ui/mantine.ts';
import { Page } from '../../ui/Page.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { localZone } from '../../ui/time.ts';
import { useIsWide } from '../../ui/useIsWide.ts';
import { useNow } from '../../ui/useNow.ts';
import { DetailPane, DetailSheet } from './detail/DetailPane.tsx';
import styles from './FeedPage.module.css';
import { FilterMenu } from './filters/FilterMenu.tsx';
import { FilterPills } from './filters/FilterPills.tsx';
import { FeedRows, NewPill, Results } from './list/FeedRows.tsx';
import { useFeedList } from './list/useFeedList.ts';
import { useUnseen } from './list/useUnseen.ts';
import { feedQueryOf, isCounted, type Scope, summaryQueriesOf, within } from './scope.ts';
import { type ChangeSearch, DEFAULT_RANGE, type FeedSearch, filtersOf, NO_FILTERS, neighbour, useFeedSearch } from './search.ts';
import { type Selection, useSelection } from './selection.ts';
import { Summary } from './summary/Summary.tsx';
import { RANGE_WORDS } from './words.ts';

/** What visitors said: in numbers, as a list, and one of them in full. */
export function FeedPage({ scope, title }: { scope: Scope; title: string }) {
  const { account } = useTeam();
  const now = useNow();
  const isWide = useIsWide();
  const [raw, change] = useFeedSearch();
  const search = within(scope, raw);
  const { range = DEFAULT_RANGE, rating } = search;
  const place = { accountId: account.id, now, zone: localZone() };
  const query = feedQueryOf(scope, search, place);
  const isNarrowed = filtersOf(search).length > 0 || search.range !== undefined;
  const list = useFeedList(query, { isHome: scope.of === 'account' && !isNarrowed });
  const unseen = useUnseen(query, list);
  const selection = useSelection({ list, openId: search.id, isWide, change });
  const searchBox = useRef<HTMLInputElement>(null);
  useFeedShortcuts({ search, change, selection, searchBox });

  const queries = summaryQueriesOf(scope, search, place);
  const counting = useQuery(summaryQuery(useSource(), queries[0]));
  const counts = counting.data;
  const filters = { scope, search, onChange: change };
  const shown = { ...list, failed: list.failed || unseen.failed, retry };

  return (
    <Page
      title={title}
      lead={scope.of === 'urgent' ? urgentInWords(counts?.urgent) : undefined}
      actions={
        <>
          <DateFilter range={range} onChange={(chosen) => change({ range: chosen === DEFAULT_RANGE ? undefined : chosen })} />
          {isWide && <FilterMenu {...filters} isWide />}
        </>
      }
    >
      {scope.of !== 'urgent' && (
        <Summary
          queries={queries}
          range={range}
          rating={rating}
          onRate={(chosen) => change({ rating: chosen })}
          isPartial={!isCounted(search)}
          isWide={isWide}
        />
      )}
      <FilterPills search={search} onChange={change} />
      <div
        className={styles['split']}
        data-empty={((list.status === 'empty' || list.status === 'error') && search.id === undefined) || undefined}
      >
        <section className={styles['list']} aria-label="List">
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
            {!isWide && <FilterMenu {...filters} isWide={false} />}
          </div>
          <NewPill unseen={unseen} />
          <Results list={list} isNarrowed={isNarrowed} />
          <FeedRows
            scope={scope}
            list={shown}
            openId={selection.shownId}
            total={totalOf()}
            isNarrowed={isNarrowed}
            onClear={() => change({ ...NO_FILTERS, range: undefined })}
            now={now}
          />
        </section>
        {isWide ? <DetailPane selection={selection} now={now} /> : <DetailSheet selection={selection} now={now} />}
      </div>
    </Page>
  );

  /** Of whatever failed. */
  function retry(): void {
    if (counting.isError) void counting.refetch();
    if (list.failed) list.retry();
    else unseen.retry();
  }

  /** How many there are, where the counts count just what the list shows. */
  function totalOf(): number | undefined {
    if (!counts || !isCounted(search)) return undefined;
    if (scope.of === 'urgent') return rating === undefined ? counts.urgent : undefined;
    return rating === undefined ? total(counts.ratings) : counts.ratings[rating - 1];
  }
}

function urgentInWords(count: number | undefined): string {
  if (count === undefined) return ' ';
  if (count === 0) return 'No low ratings and nobody to call back in this period';
  return count === 1 ? 'One visitor rated low or wants to be contacted' : `${count} visitors rated low or want to be contacted`;
}

interface FeedShortcuts {
  readonly search: FeedSearch;
  readonly change: ChangeSearch;
  readonly selection: Selection;
  readonly searchBox: RefObject<HTMLInputElement | null>;
}

/** What the feed does for each command. */
function useFeedShortcuts({ search, change, selection, searchBox }: FeedShortcuts): void {
  useShortcuts((command) => {
    switch (command.do) {
      case 'step':
        selection.step(command.by);
        return true;
      case 'close':
        return selection.close();
      case 'rate':
        change({ rating: command.rating });
        return true;
      case 'period': {
        const range = neighbour(search.range ?? DEFAULT_RANGE, command.by);
        change({ range: range === DEFAULT_RANGE ? undefined : range });
        return true;
      }
      case 'search':
        searchBox.current?.focus();
        return true;
      default:
        return false;
    }
  });
}

/* The three feeds. Each starts anew: rows of one never stand under the heading of another. */

export const AllFeedback = () => <FeedPage key="account" scope={{ of: 'account' }} title="All feedback" />;

export const UrgentFeedback = () => <FeedPage key="urgent" scope={{ of: 'urgent' }} title="Urgent" />;

/** A property is named by its id or by its name, dashed and lowercase (PRODUCT §2). */
export function PropertyFeedback() {
  const { properties } = useTeam();
  const { propertyId = '' } = useParams({ strict: false });
  const property = properties.find((each) => isNamed(propertyId, each));
  if (!property) return <NotAvailable />;
  return <FeedPage key={property.id} scope={{ of: 'property', property }} title={property.data.displayName} />;
}

const CHOICES = DATE_FILTERS.map((value) => ({ value, label: RANGE_WORDS[value] }));

function DateFilter({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  return (
    <SegmentedControl
      aria-label="Period"
      data={CHOICES}
      value={range}
      onChange={onChange}
      withItemsBorders={false}
      classNames={{ root: styles['periods'] ?? '', indicator: styles['chosen'] ?? '', label: styles['period'] ?? '' }}
    />
  );
}
