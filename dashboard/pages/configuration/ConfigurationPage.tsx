import { Link, useParams, useSearch } from '@tanstack/react-router';
import { type ComponentType, useEffect, useRef } from 'react';
import { translatable, type Untranslated } from '#contract/language/translate.ts';
import type { Property } from '#contract/property/property.ts';
import { isPropertyNamed } from '#contract/property/slug.ts';
import { AdminsOnly, NotAvailable } from '../../frame/Access.tsx';
import { PropertySwitch } from '../../frame/chrome/PropertySwitch.tsx';
import { EditArea } from '../../frame/EditArea.tsx';
import { useTeam } from '../../frame/team.ts';
import { t } from '../../language.ts';
import { useDelayed } from '../../ui/hooks.ts';
import { Page } from '../../ui/page/Page.tsx';
import styles from './ConfigurationPage.module.css';
import { DangerTab } from './danger/DangerTab.tsx';
import { FormStatusNotice } from './FormStatusNotice.tsx';
import { FormTab } from './form/FormTab.tsx';
import { NotificationsTab } from './notifications/NotificationsTab.tsx';
import { PrivacyTab } from './privacy/PrivacyTab.tsx';
import { RequestsTab } from './requests/RequestsTab.tsx';
import { readConfigurationSearch, searchOf, TABS, type Tab, tabOf } from './search.ts';
import { ServicesTab } from './services/ServicesTab.tsx';
import { ShareTab } from './share/ShareTab.tsx';
import { useFormStatus } from './useFormStatus.ts';

interface ConfigurationTab {
  readonly label: Untranslated;
  /** Names the browser's tab, after the property. */
  readonly title: Untranslated;
  readonly Content: ComponentType<{ readonly property: Property }>;
  /** Every control changes something, so the tab is off while the account is read-only. */
  readonly isForChanges?: true;
}

const CONTENTS: Readonly<Record<Tab, ConfigurationTab>> = {
  form: { label: translatable('Form'), title: translatable('{property}: form'), Content: FormTab },
  share: { label: translatable('Share'), title: translatable('{property}: share'), Content: ShareTab },
  requests: { label: translatable('Requests'), title: translatable('{property}: requests'), Content: RequestsTab, isForChanges: true },
  services: {
    label: translatable('Review services'),
    title: translatable('{property}: review services'),
    Content: ServicesTab,
    isForChanges: true,
  },
  notifications: {
    label: translatable('Notifications'),
    title: translatable('{property}: notifications'),
    Content: NotificationsTab,
    isForChanges: true,
  },
  privacy: { label: translatable('Privacy'), title: translatable('{property}: privacy'), Content: PrivacyTab, isForChanges: true },
  danger: { label: translatable('Danger zone'), title: translatable('{property}: danger zone'), Content: DangerTab, isForChanges: true },
};

export const ConfigurationPage = () => (
  <AdminsOnly>
    <Configuration />
  </AdminsOnly>
);

/** The settings of a property. The address has its id, or its name in lowercase with dashes (docs/rules.md#property-addresses). */
function Configuration() {
  const { properties } = useTeam();
  const { propertyId = '' } = useParams({ strict: false });
  const current = tabOf(readConfigurationSearch(useSearch({ strict: false })));
  const property = properties.find((each) => isPropertyNamed(propertyId, each));
  return property ? <PropertySettings key={property.id} property={property} current={current} /> : <NotAvailable />;
}

function PropertySettings({ property, current }: { property: Property; current: Tab }) {
  const { title, Content, isForChanges } = CONTENTS[current];
  const name = property.data.displayName;
  const { isLoading, failureCount } = useFormStatus(property);
  const isWaiting = isLoading && failureCount === 0;
  const isLate = useDelayed(isWaiting);
  const content = <Content property={property} />;
  return (
    <Page title={name} tabTitle={t(title, { property: name })} actions={<PropertySwitch propertyId={property.id} at="configuration" />}>
      <Tabs current={current} />
      {isLate && (
        <div className={styles['cards']} role="status" aria-label={t('Loading')}>
          <div className={styles['blank']} />
          <div className={styles['blank']} />
        </div>
      )}
      <div className={styles['content']} aria-busy={isWaiting || isLate}>
        <FormStatusNotice property={property} />
        {isForChanges ? <EditArea>{content}</EditArea> : content}
      </div>
    </Page>
  );
}

/** The tabs are links: each has an address, can open in a browser tab, and works with Back. */
function Tabs({ current }: { current: Tab }) {
  const list = useRef<HTMLElement>(null);
  // On a phone the bar scrolls; keep the current tab in view.
  useEffect(() => {
    list.current?.querySelector(`[data-tab=${current}]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav ref={list} className={styles['tabs']} aria-label={t('Configuration')}>
      {TABS.map((tab) => (
        <Link
          key={tab}
          to="."
          search={(previous: object) => ({ ...previous, ...searchOf(tab) })}
          resetScroll={false}
          activeOptions={{ explicitUndefined: true }}
          className={styles['tab']}
          data-tab={tab}
          aria-current={tab === current ? 'page' : undefined}
        >
          {t(CONTENTS[tab].label)}
        </Link>
      ))}
    </nav>
  );
}
