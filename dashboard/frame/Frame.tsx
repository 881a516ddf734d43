import { IconAlertTriangle, IconBuildingStore, IconInbox } from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { Wordmark } from '../ui/Wordmark.tsx';
import { paths } from '../paths.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { type Team, useTeam } from './data.tsx';
import styles from './Frame.module.css';
import { OfflineBanner } from './OfflineBanner.tsx';
import { ThemeButton } from './ThemeButton.tsx';

/** The dashboard around its pages: top bar, navigation beside or below, and the way past them. */
export function Frame({ children }: { children: ReactNode }) {
  const team = useTeam();
  const main = useRef<HTMLElement>(null);
  useArrival(main.current);
  return (
    <div className={styles['frame']}>
      <a href="#main" className={styles['skip']}>
        Skip to content
      </a>
      {team.isDemo && <DemoBanner />}
      <OfflineBanner />
      <header className={styles['top']}>
        <Link to={team.paths.feed} className={styles['home']} aria-label="Afterword, all feedback">
          <Wordmark />
        </Link>
        <span className={styles['business']}>{team.account.data.displayName}</span>
        <ThemeButton />
        <AccountMenu />
      </header>
      <nav className={styles['side']} aria-label="Main">
        <Places team={team} />
      </nav>
      <main id="main" ref={main} tabIndex={-1} className={styles['main']}>
        {children}
      </main>
      <nav className={styles['tabs']} aria-label="Main, compact">
        <Tabs team={team} />
      </nav>
    </div>
  );
}

const placesOf = ({ paths: here }: Team) => [
  { to: here.feed, label: 'All feedback', short: 'Feedback', Icon: IconInbox },
  { to: here.urgent, label: 'Urgent', short: 'Urgent', Icon: IconAlertTriangle },
  { to: here.properties, label: 'Properties', short: 'Properties', Icon: IconBuildingStore },
];

function Places({ team }: { team: Team }) {
  return (
    <ul className={styles['places']}>
      {placesOf(team).map(({ to, label, Icon }) => (
        <li key={to}>
          <Link to={to} activeOptions={{ exact: true }} className={styles['place']}>
            <Icon size={18} aria-hidden />
            {label}
          </Link>
        </li>
      ))}
      {team.properties.map((property) => (
        <li key={property.id}>
          <Link to={team.paths.propertyFeedback(property.id)} className={`${styles['place']} ${styles['below']}`}>
            {property.data.displayName}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Tabs({ team }: { team: Team }) {
  return placesOf(team).map(({ to, short, Icon }) => (
    <Link key={to} to={to} activeOptions={{ exact: to !== team.paths.properties }} className={styles['tab']}>
      <Icon size={22} aria-hidden />
      {short}
    </Link>
  ));
}

function DemoBanner() {
  return (
    <div className={styles['demo']} role="note">
      <span>Demo data. Nothing is saved.</span>
      <Link to={paths.signUp}>Sign up</Link>
    </div>
  );
}

/** On another page the focus goes to its heading, as it would after a full load. */
function useArrival(main: HTMLElement | null): void {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    main?.querySelector('h1')?.focus();
    scrollTo(0, 0);
  }, [path, main]);
}
