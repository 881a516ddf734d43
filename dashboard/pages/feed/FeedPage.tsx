import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { MOST_COUNTED } from '#contract/feedback/work.ts';
import { isPropertyNamed } from '#contract/property/property.ts';
import { NotAvailable } from '../../frame/Access.tsx';
import { useInbox } from '../../frame/chrome/inbox.ts';
import { PropertySwitch } from '../../frame/chrome/PropertySwitch.tsx';
import { searchFor } from '../../frame/numbers/period-search.ts';
import { useTeam } from '../../frame/team.ts';
import { Page } from '../../ui/page/Page.tsx';
import { DetailPane, DetailSheet } from './detail/DetailPane.tsx';
import styles from './FeedPage.module.css';
import { FilterPills } from './filters/FilterPills.tsx';
import { FeedRows, PropertyGone } from './list/FeedRows.tsx';
import { Suspected } from './list/Suspected.tsx';
import { exactly, waitingInWords } from './list/total.ts';
import { useTotal } from './list/useTotal.ts';
import { isCounted, type Scope, usualPeriod, within } from './scope.ts';
import { NO_FILTERS, useFeedSearch } from './search.ts';
import { Summary } from './summary/Summary.tsx';
import { Toolbar } from './toolbar/Toolbar.tsx';
import { type Feed, useFeed } from './useFeed.ts';
import { useFeedView } from './views/useFeedView.ts';
import { ViewLead, ViewNotice } from './views/ViewLead.tsx';
import { ViewsMenu } from './views/ViewsMenu.tsx';
import { BulkBar } from './work/BulkBar.tsx';

/* The three feeds. The keys remount the page, so that one feed's rows never appear under another's heading. */

export const AllFeedback = () => <FeedPage key="account" scope={{ of: 'account' }} title="All feedback" />;

export const UrgentFeedback = () => <FeedPage key="urgent" scope={{ of: 'urgent' }} title="Urgent" />;

/** The address has the property's id, or its name in lowercase with dashes (docs/rules.md#property-addresses). */
export function PropertyFeedback() {
  const { properties } = useTeam();
  const { propertyId = '' } = useParams({ strict: false });
  const property = properties.find((each) => isPropertyNamed(propertyId, each));
  if (!property) return <NotAvailable />;
  return <FeedPage key={property.id} scope={{ of: 'property', property }} title={property.data.displayName} />;
}

interface FeedPageProps {
  readonly scope: Scope;
  readonly title: string;
}

/** A feed. If its address filters by a deleted property, it requests nothing. */
function FeedPage({ scope, title }: FeedPageProps) {
  const { properties } = useTeam();
  const [fromAddress] = useFeedSearch();
  const { property } = within(scope, fromAddress);
  const isThere = property === undefined || properties.some(({ id }) => id === property);
  return isThere ? <OpenFeed scope={scope} title={title} /> : <GoneFeed scope={scope} title={title} />;
}

/** Keeps the views menu, so that a view of a deleted property can still be changed or deleted. */
function GoneFeed({ scope, title }: FeedPageProps) {
  const [fromAddress, change] = useFeedSearch();
  const view = useFeedView(scope, within(scope, fromAddress), change);
  return (
    <Page title={view.open?.data.displayName ?? title} actions={<ViewsMenu view={view} />}>
      <PropertyGone />
    </Page>
  );
}

/** The summary, the list and the open feedback. */
function OpenFeed({ scope, title }: FeedPageProps) {
  const feed = useFeed(scope);
  const { search, change, view, period, list, total, counts, selection, now, isWide, isNarrowed } = feed;
  // An empty list needs no search box, and no detail beside it.
  const isBare = (list.status === 'empty' && !isNarrowed && !list.isOld) || list.status === 'gone';
  return (
    <Page
      title={view.open?.data.displayName ?? title}
      lead={leadOf(feed, title)}
      beside={<Toolbar feed={feed} isBare={isBare} />}
      actions={scope.of === 'property' && <PropertySwitch propertyId={scope.property.id} at="feedback" />}
    >
      {scope.of !== 'urgent' && (
        <Summary
          counts={counts}
          period={period}
          rating={search.rating}
          onRate={(chosen) => change({ rating: chosen })}
          isPartial={!isCounted(search)}
          isWide={isWide}
        />
      )}
      <ViewNotice open={view.open} />
      <FilterPills search={search} onChange={change} />
      {scope.of !== 'urgent' && <Suspected counts={counts} search={search} change={change} list={list} />}
      <div className={styles['split']} data-bare={isBare || undefined} data-tall={isNarrowed || list.isOld || undefined}>
        <section className={styles['list']} aria-label="List">
          {feed.bulk.isOn && <BulkBar bulk={feed.bulk} work={feed.work} />}
          <FeedRows
            scope={scope}
            list={list}
            unseen={feed.unseen}
            selection={selection}
            bulk={feed.bulk}
            isWide={isWide}
            total={total}
            isFiltered={feed.isFiltered}
            isOfPlacement={search.tool !== undefined}
            words={search.q}
            onClear={() => change({ ...NO_FILTERS, ...searchFor({ name: usualPeriod(scope) }, usualPeriod(scope)) })}
            onWiden={() => feed.choosePeriod({ name: 'all' })}
            now={now}
          />
        </section>
        {isWide ? (
          <DetailPane selection={selection} words={search.q} now={now} work={feed.work} />
        ) : (
          <DetailSheet selection={selection} words={search.q} now={now} work={feed.work} />
        )}
      </div>
    </Page>
  );
}

/** Returns the line below the heading: a saved view's owner, or how many visitors wait in the urgent feed. */
function leadOf({ scope, search, view }: Feed, title: string): ReactNode {
  if (view.open) return <ViewLead view={view} open={view.open} feed={title} />;
  return scope.of === 'urgent' ? <Waiting property={search.property} /> : undefined;
}

/** The number of waiting visitors, filtered only by property. The inbox stops counting early; beyond that the server counts. */
function Waiting({ property }: { property: string | undefined }) {
  const { account } = useTeam();
  const inbox = useInbox();
  const isCut = inbox !== undefined && inbox.waiting() >= MOST_COUNTED;
  const place = property === undefined ? { accountId: account.id } : { propertyId: property };
  const total = useTotal({ ...place, waiting: true }, { isNeeded: isCut });
  if (isCut) return waitingInWords(total ?? { count: MOST_COUNTED, isAtLeast: true });
  return inbox ? waitingInWords(exactly(inbox.waiting(property))) : '\u00a0';
}
