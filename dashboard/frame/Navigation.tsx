import { IconShieldLock } from '@tabler/icons-react';
import { Link, useParams, useRouterState } from '@tanstack/react-router';
import { isNamed } from '#contract/property.ts';
import { paths as teamPaths } from '../paths.ts';
import styles from './Frame.module.css';
import { More } from './More.tsx';
import { adminPlaces, dailyPlaces, type Place } from './places.ts';
import { useTeam } from './team.ts';
import { UrgentCount } from './UrgentCount.tsx';

/** More properties than this are better found on their page. */
const MOST_LISTED = 12;

/** Where to go, beside the page. */
export function Places() {
  const team = useTeam();
  const { paths, properties, isOperator } = team;
  const { propertyId = '' } = useParams({ strict: false });
  const isMaster = useRouterState({ select: ({ location }) => location.pathname.startsWith('/master/') });
  return (
    <ul className={styles['places']}>
      {dailyPlaces(paths).map((place) => (
        <PlaceLink key={place.to} place={place} />
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
      {adminPlaces(team, paths).map((place) => (
        <PlaceLink key={place.to} place={place} />
      ))}
      {isOperator && <PlaceLink place={{ to: teamPaths.masterAccounts, label: 'Operator area', Icon: IconShieldLock }} isHere={isMaster} />}
    </ul>
  );
}

/** `isHere` where one place has several addresses. */
function PlaceLink({ place: { to, label, Icon }, isHere = false }: { place: Place; isHere?: boolean }) {
  const { paths } = useTeam();
  return (
    <li>
      <Link
        to={to}
        activeOptions={{ exact: true, includeSearch: false }}
        aria-current={isHere ? 'page' : undefined}
        className={styles['place']}
      >
        <Icon size={18} aria-hidden />
        {label}
        {to === paths.urgent && <UrgentCount />}
      </Link>
    </li>
  );
}

/** The same below the page, for thumbs. */
export function Tabs() {
  const { paths } = useTeam();
  return (
    <>
      {dailyPlaces(paths).map(({ to, label, Icon }) => (
        <Link key={to} to={to} activeOptions={{ exact: to !== paths.properties, includeSearch: false }} className={styles['tab']}>
          <span className={styles['icon']}>
            <Icon size={22} aria-hidden />
            {to === paths.urgent && <UrgentCount />}
          </span>
          {to === paths.feed ? 'Feedback' : label}
        </Link>
      ))}
      <More />
    </>
  );
}
