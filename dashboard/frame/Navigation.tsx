import { IconAlertTriangle, IconBuildingStore, IconInbox } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { isNamed } from '#contract/property.ts';
import type { Paths } from '../paths.ts';
import { useTeam } from './data.tsx';
import styles from './Frame.module.css';
import { useUrgentCount } from './useUrgentCount.ts';

const placesOf = (paths: Paths) => [
  { to: paths.feed, label: 'All feedback', short: 'Feedback', Icon: IconInbox },
  { to: paths.urgent, label: 'Urgent', short: 'Urgent', Icon: IconAlertTriangle },
  { to: paths.properties, label: 'Properties', short: 'Properties', Icon: IconBuildingStore },
];

/** More properties than this are better found on their page. */
const MOST_LISTED = 12;

/** Where to go, beside the page. */
export function Places() {
  const { paths, properties } = useTeam();
  const { propertyId = '' } = useParams({ strict: false });
  return (
    <ul className={styles['places']}>
      {placesOf(paths).map(({ to, label, Icon }) => (
        <li key={to}>
          <Link to={to} activeOptions={{ exact: true, includeSearch: false }} className={styles['place']}>
            <Icon size={18} aria-hidden />
            {label}
            {to === paths.urgent && <UrgentCount />}
          </Link>
        </li>
      ))}
      {properties.slice(0, MOST_LISTED).map((property) => (
        <li key={property.id}>
          <Link
            to={paths.propertyFeedback(property.id)}
            aria-current={isNamed(propertyId, property) ? 'page' : undefined}
            activeOptions={{ includeSearch: false }}
            className={`${styles['place']} ${styles['below']}`}
          >
            {property.data.displayName}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The same below the page, for thumbs. */
export function Tabs() {
  const { paths } = useTeam();
  return placesOf(paths).map(({ to, short, Icon }) => (
    <Link key={to} to={to} activeOptions={{ exact: to !== paths.properties, includeSearch: false }} className={styles['tab']}>
      <span className={styles['icon']}>
        <Icon size={22} aria-hidden />
        {to === paths.urgent && <UrgentCount />}
      </span>
      {short}
    </Link>
  ));
}

function UrgentCount() {
  const count = useUrgentCount();
  if (!count) return null;
  return (
    <span className={styles['count']}>
      {count > 99 ? '99+' : count}
      <span className="visually-hidden"> in the last month</span>
    </span>
  );
}
