import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useLiveUpdates } from '../../data/live.ts';
import { deliveryHealthQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { usePublicConfig } from '../../data/usePublicConfig.ts';
import { t } from '../../language.ts';
import { paths } from '../../paths.ts';
import { useIsAfterStart } from '../../ui/hooks.ts';
import { usePreloadedOverlays } from '../../ui/MenuButton.tsx';
import { Toasts } from '../../ui/messages/Toasts.tsx';
import { SkipLink } from '../../ui/page/SkipLink.tsx';
import { useNetwork } from '../../ui/theme/mantine.ts';
import { SubscriptionBanner } from '../plan/SubscriptionBanner.tsx';
import { useTeam } from '../team.ts';
import styles from './Frame.module.css';
import { SideNavigation, TabBar } from './Navigation.tsx';
import { OFFLINE } from './offline.ts';
import type { PaletteContent } from './PaletteButton.tsx';
import { type PanelList, Panels } from './Panels.tsx';
import { TopBar } from './TopBar.tsx';

interface DashboardFrameProps {
  readonly panels: PanelList;
  readonly Palette: PaletteContent;
  readonly children: ReactNode;
}

/** The dashboard around its pages: skip link, banners, top bar and navigation. */
export function Frame({ panels, Palette, children }: DashboardFrameProps) {
  const team = useTeam();
  const main = useRef<HTMLElement>(null);
  useFocusOnNavigation(main);
  usePreloadedOverlays();
  useLiveUpdates({ isOff: team.isTeamless });
  return (
    <div className={styles['frame']}>
      <SkipLink to="main">{t('Skip to content')}</SkipLink>
      {team.isDemo && <DemoBanner />}
      <OfflineBanner />
      {team.user.data.level === 'admin' && !team.isTeamless && <MailFailures />}
      <TopBar Palette={Palette} />
      <nav className={styles['side']} aria-label={t('Main')}>
        <SideNavigation />
      </nav>
      <main id="main" ref={main} tabIndex={-1} className={styles['main']}>
        <SubscriptionBanner />
        {children}
      </main>
      <nav className={styles['tabs']} aria-label={t('Main, compact')}>
        <TabBar />
      </nav>
      <Panels list={panels} />
      <Toasts />
    </div>
  );
}

function DemoBanner() {
  const registration = usePublicConfig()?.registration;
  return (
    <div className={styles['demo']} role="note">
      <span>{t('Demo data. Nothing is saved; changes last until you leave.')}</span>
      {registration === 'open' ? <Link to={paths.signUp}>{t('Sign up')}</Link> : <Link to={paths.feed}>{t('Sign in')}</Link>}
    </div>
  );
}

/** Focuses the heading of a new page once it's rendered, and scrolls to the top, as a full load would. */
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

/** Tells admins that an email wasn't delivered. */
function MailFailures() {
  const { account, paths: teamPaths } = useTeam();
  const isAfterStart = useIsAfterStart();
  const { data: failed = 0 } = useQuery({ ...deliveryHealthQuery(useSource(), account.id), enabled: isAfterStart });
  if (failed === 0) return null;
  return (
    <div className={`${styles['offline']} ${styles['failures']}`} role="note">
      {t.count(failed, 'An email wasn’t delivered.', '{count} emails weren’t delivered.')}{' '}
      <Link to={teamPaths.deliveries}>{t('See why')}</Link>
    </div>
  );
}

/** Tells the user that the page may be outdated while offline. */
function OfflineBanner() {
  const { online } = useNetwork();
  return (
    <div role="status" className={online ? 'visually-hidden' : styles['offline']}>
      {online ? '' : t(OFFLINE)}
    </div>
  );
}
