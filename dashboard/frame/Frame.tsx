import { Link, useRouter } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useLiveUpdates } from '../data/effects.ts';
import { paths } from '../paths.ts';
import { useNetwork } from '../ui/mantine.ts';
import { Toasts } from '../ui/Toasts.tsx';
import styles from './Frame.module.css';
import { SideNavigation, TabBar } from './Navigation.tsx';
import { type PanelList, Panels } from './Panels.tsx';
import { TopBar } from './TopBar.tsx';
import { useTeam } from './team.ts';

/** The dashboard around its pages: top bar, navigation beside or below, and the way past them. */
export function Frame({ panels, children }: { panels: PanelList; children: ReactNode }) {
  const team = useTeam();
  const main = useRef<HTMLElement>(null);
  useFocusOnNavigation(main);
  useLiveUpdates();
  return (
    <div className={styles['frame']}>
      <a href="#main" className={styles['skip']}>
        Skip to content
      </a>
      {team.isDemo && <DemoBanner />}
      <OfflineBanner />
      <TopBar />
      <nav className={styles['side']} aria-label="Main">
        <SideNavigation />
      </nav>
      <main id="main" ref={main} tabIndex={-1} className={styles['main']}>
        {children}
      </main>
      <nav className={styles['tabs']} aria-label="Main, compact">
        <TabBar />
      </nav>
      <Panels list={panels} />
      <Toasts />
    </div>
  );
}

function DemoBanner() {
  return (
    <div className={styles['demo']} role="note">
      <span>Demo data. Nothing is saved; changes last until you leave.</span>
      <Link to={paths.signUp}>Sign up</Link>
    </div>
  );
}

/** On another page the focus goes to its heading, once that is drawn, as it would after a full load. */
function useFocusOnNavigation(main: RefObject<HTMLElement | null>): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        scrollTo(0, 0);
        main.current?.querySelector('h1')?.focus({ preventScroll: true });
      }),
    [router, main],
  );
}

/** Says that what stands below may be old. */
function OfflineBanner() {
  const { online } = useNetwork();
  return (
    <div role="status" className={online ? 'visually-hidden' : styles['offline']}>
      {online ? '' : 'You’re offline. You see what was loaded last; it updates by itself.'}
    </div>
  );
}
