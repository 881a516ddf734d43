import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { MOST_COUNTED } from '#contract/feedback/work.ts';
import { isPropertyNamed } from '#contract/property/slug.ts';
import { NotAvailable } from '../../frame/Access.tsx';
import { useInbox } from '../../frame/chrome/inbox.ts';
import { PropertySwitch } from '../../frame/chrome/PropertySwitch.tsx';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { useIsWide } from '../../ui/hooks.ts';
import { Page } from '../../ui/page/Page.tsx';
import { useFeedContent, useFilters } from './contexts.ts';
import { DetailPane, DetailSheet } from './detail/DetailPane.tsx';
import styles from './FeedPage.module.css';
import { FeedProvider } from './FeedProvider.tsx';
import { FilterPills } from './filters/FilterPills.tsx';
import { FeedRows, PropertyGone } from './list/FeedRows.tsx';
import { Suspected } from './list/Suspected.tsx';
import { exactly, waitingInWords } from './list/total.ts';
import { useTotal } from './list/useTotal.ts';
import { type Scope, within } from './scope.ts';
import { useFeedSearch } from './search.ts';
import { Summary } from './summary/Summary.tsx';
import { Toolbar } from './toolbar/Toolbar.tsx';
import { useFeedView } from './views/useFeedView.ts';
import { ViewLead, ViewNotice } from './views/ViewLead.tsx';
import { ViewsMenu } from './views/ViewsMenu.tsx';
import { BulkBar } from './work/BulkBar.tsx';

/* The three feeds. The keys remount the page, so that one feed's rows never appear under another's heading. */

export const AllFeedback = () => <FeedPage key="account" scope={{ of: 'account' }} title={t('All feedback')} />;

export const UrgentFeedback = () => <FeedPage key="urgent" scope={{ of: 'urgent' }} title={t('Urgent')} />;

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

const OpenFeed = ({ scope, title }: FeedPageProps) => (
  <FeedProvider scope={scope}>
    <FeedParts title={title} />
  </FeedProvider>
);

/** The summary, the list and the open feedback. Takes nothing that arrives while the page is open, so that only its parts render then. */
function FeedParts({ title }: { title: string }) {
  const { scope, search, change } = useFilters();
  const view = useFeedView(scope, search, change);
  const isWide = useIsWide();
  const isUrgent = scope.of === 'urgent';
  return (
    <Page
      title={view.open?.data.displayName ?? title}
      lead={
        view.open ? <ViewLead view={view} open={view.open} feed={title} /> : isUrgent ? <Waiting property={search.property} /> : undefined
      }
      beside={<Toolbar view={view} />}
      actions={scope.of === 'property' && <PropertySwitch propertyId={scope.property.id} at="feedback" />}
    >
      {!isUrgent && <Summary />}
      <ViewNotice open={view.open} />
      <FilterPills />
      {!isUrgent && <Suspected />}
      <Split>
        <section className={styles['list']} aria-label={t('List')}>
          <BulkBar />
          <FeedRows />
        </section>
        {isWide ? <DetailPane /> : <DetailSheet />}
      </Split>
    </Page>
  );
}

/** The list and the detail beside each other. */
function Split({ children }: { children: ReactNode }) {
  const { list, isBare } = useFeedContent();
  const { isNarrowed } = useFilters();
  return (
    <div className={styles['split']} data-bare={isBare || undefined} data-tall={isNarrowed || list.isOld || undefined}>
      {children}
    </div>
  );
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
