import { IconBuildingStore, IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { dateRange } from '#contract/core/time.ts';
import { translatable } from '#contract/language/translate.ts';
import { overviewQuery, totalsQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { useInbox } from '../../frame/chrome/inbox.ts';
import { usePanel } from '../../frame/panel.ts';
import { useReadOnly } from '../../frame/plan/read-only.ts';
import { adminNames, useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { localZone } from '../../ui/format/time.ts';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { useNow } from '../../ui/hooks.ts';
import { EmptyState } from '../../ui/messages/EmptyState.tsx';
import { LoadFailed } from '../../ui/messages/LoadFailed.tsx';
import { ColumnHeads } from '../../ui/page/Columns.tsx';
import { Page } from '../../ui/page/Page.tsx';
import rowStyles from '../../ui/page/Rows.module.css';
import { TextLink } from '../../ui/page/TextLink.tsx';
import { Button, NativeSelect } from '../../ui/theme/mantine.ts';
import { filterAndSort, NO_COUNTS } from './list.ts';
import styles from './PropertiesPage.module.css';
import { PropertyRow } from './PropertyRow.tsx';
import { ORDERS, type Order, usePropertiesSearch } from './search.ts';

/** Up to this many properties need no search box. */
const FEW = 7;
const ORDER_LABELS = translatable({
  name: 'By name',
  average: 'Lowest average first',
  urgent: 'Most waiting first',
  answers: 'Most answers first',
} satisfies Record<Order, string>);

/** The list of properties with their numbers. */
export function PropertiesPage() {
  const { properties, user, users } = useTeam();
  const numbers = properties.length > 0 && t('Waiting now, and results from the last 31 days.');
  // Touch screens never show the button's tooltip.
  const why = user.data.level !== 'admin' && t('Only admins can add a property. Ask {names}.', { names: adminNames(users) });
  return (
    <Page title={t('Properties')} lead={[numbers, why].filter(Boolean).join(' ') || undefined} actions={<NewProperty id="new-property" />}>
      {properties.length === 0 ? (
        <div className={rowStyles['rows']}>
          <EmptyState
            icon={<IconBuildingStore size={32} stroke={1.5} aria-hidden />}
            title={t('Add your first location to get a form and its link.')}
            action={<NewProperty id="first-property" />}
          >
            {t('A property is a place that people visit. Each has its own form, with a link to print or share.')}
          </EmptyState>
        </div>
      ) : (
        <List />
      )}
    </Page>
  );
}

/** The button appears in two places; the id lets the focus return to the pressed one. */
function NewProperty({ id }: { id: string }) {
  const { user } = useTeam();
  const { open } = usePanel();
  const readOnly = useReadOnly();
  const why = user.data.level === 'admin' ? readOnly : t('only admins can add a property');
  return (
    <Button
      id={id}
      leftSection={<IconPlus size={16} aria-hidden />}
      {...(why === undefined ? { onClick: () => open('property', { opener: id }) } : { 'data-disabled': true, 'aria-disabled': true })}
      title={why}
    >
      {t('New property')}
      {why !== undefined && <span className="visually-hidden"> ({why})</span>}
    </Button>
  );
}

function List() {
  const { account, properties } = useTeam();
  const source = useSource();
  const zone = localZone();
  const span = dateRange('month', useNow(), zone);
  const overview = useQuery(overviewQuery(source, { accountId: account.id, ...span, zone }));
  const totals = useQuery(totalsQuery(source, account.id));
  const [{ q, sort }, change] = usePropertiesSearch();
  const inbox = useInbox();
  const counts = overview.data && new Map(overview.data.map(({ propertyId, ...each }) => [propertyId, each]));
  const shown = filterAndSort(
    properties,
    { q, sort },
    {
      countsOf: (id) => counts?.get(id) ?? NO_COUNTS,
      waitingOf: (id) => inbox?.waiting(id) ?? 0,
    },
  );
  return (
    <>
      {(overview.isError || totals.isError) && (
        <LoadFailed onRetry={() => Promise.all([overview.refetch(), totals.refetch()])}>{t('We couldn’t load the numbers.')}</LoadFailed>
      )}
      {(properties.length > 1 || q !== undefined) && (
        <div className={`${rowStyles['tools']} ${styles['tools']}`}>
          {(properties.length > FEW || q !== undefined) && (
            <SearchField
              label={t('Search properties')}
              value={q ?? ''}
              onSearch={(text) => change({ q: text || undefined })}
              settles={150}
            />
          )}
          <NativeSelect
            aria-label={t('Order')}
            data={ORDERS.map((order) => ({ value: order, label: t(ORDER_LABELS[order]) }))}
            value={sort ?? 'name'}
            onChange={({ currentTarget }) => change({ sort: currentTarget.value === 'name' ? undefined : (currentTarget.value as Order) })}
          />
          <span role="status" className="visually-hidden">
            {q !== undefined && t.count(shown.length, '{count} result', '{count} results')}
          </span>
        </div>
      )}
      <div className={rowStyles['rows']}>
        {shown.length === 0 ? (
          <EmptyState
            icon={<IconSearch size={32} stroke={1.5} aria-hidden />}
            title={t('No property called “{name}”.', { name: q ?? '' })}
            action={<TextLink onClick={() => change({ q: undefined })}>{t('Clear search')}</TextLink>}
          />
        ) : (
          <div className={styles['columns']}>
            <ColumnHeads titles={[t('Name'), t('Last 14 days'), t('Average'), t('Waiting'), t('Answers')]} />
            <ul aria-label={t('Properties')} aria-busy={overview.isPending}>
              {shown.map((property) => (
                <li key={property.id}>
                  <PropertyRow
                    property={property}
                    counts={counts && (counts.get(property.id) ?? NO_COUNTS)}
                    waiting={inbox?.waiting(property.id)}
                    hasAnswers={totals.data?.has(property.id)}
                    days={{ to: span.to, zone }}
                  />
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </>
  );
}
