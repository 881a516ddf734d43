import { lazy, Suspense, useRef } from 'react';
import { Loader } from '../ui/mantine.ts';
import { SidePanel } from '../ui/SidePanel.tsx';
import type { PanelName } from './panel.ts';
import { usePanel } from './usePanel.ts';

const ProfilePanel = lazy(() => import('../pages/profile/Profile.tsx').then(({ Profile }) => ({ default: Profile })));
const PasswordPanel = lazy(() => import('../pages/profile/PasswordPanel.tsx').then((page) => ({ default: page.PasswordPanel })));
const UserPanel = lazy(() => import('../pages/users/UserPanel.tsx').then((page) => ({ default: page.UserPanel })));

const TITLES: Record<PanelName, string> = { profile: 'Profile', password: 'Change password', user: 'User' };

/** The panels that can lie over any page (design §3). */
export function Panels() {
  const { panel, user, opener, close } = usePanel();
  // Still drawn while it slides away, and remembered for the focus to return.
  const last = useRef({ panel, user, opener });
  // The address is a moment ahead of what is shown: on the way back the opener is gone from it first.
  if (panel !== undefined) last.current = { panel, user, opener: opener ?? last.current.opener };
  const shown = last.current;
  return (
    <SidePanel
      isOpen={panel !== undefined}
      title={shown.panel === undefined ? '' : TITLES[shown.panel]}
      onClose={close}
      onGone={() => {
        focusOn(shown.opener);
        last.current = { panel: undefined, user: undefined, opener: undefined };
      }}
    >
      <Suspense fallback={<Loader size="sm" aria-label="Loading" />}>
        {shown.panel === 'profile' && <ProfilePanel isPanel />}
        {shown.panel === 'password' && <PasswordPanel onDone={close} />}
        {shown.panel === 'user' && <UserPanel key={shown.user} userId={shown.user} onDone={close} />}
      </Suspense>
    </SidePanel>
  );
}

/** To what opened the panel, where it is still there; else to the page. */
function focusOn(opener: string | undefined): void {
  const element = document.getElementById(opener ?? 'main') ?? document.getElementById('main');
  element?.focus({ preventScroll: true });
}
