import { Outlet } from '@tanstack/react-router';
import { lazy } from 'react';
import { type DataSource, SourceProvider } from '../data/source.ts';
import { Frame } from '../frame/Frame.tsx';
import type { PanelList } from '../frame/Panels.tsx';
import { type Team, TeamProvider } from '../frame/team.ts';

/** Every panel that can lie over a page (docs/rules.md#panels), loaded when it is opened first. */
const PANELS: PanelList = {
  profile: {
    title: 'Profile',
    Content: lazy(() => import('../pages/profile/ProfilePage.tsx').then(({ ProfilePanel }) => ({ default: ProfilePanel }))),
  },
  password: {
    title: 'Change password',
    Content: lazy(() => import('../pages/profile/PasswordPanel.tsx').then(({ PasswordPanel }) => ({ default: PasswordPanel }))),
  },
  user: { title: 'User', Content: lazy(() => import('../pages/users/UserPanel.tsx').then(({ UserPanel }) => ({ default: UserPanel }))) },
};

/** A team's pages inside their frame, on the server's data or on the demo's. */
export const TeamArea = ({ source, team }: { source: DataSource; team: Team }) => (
  <SourceProvider value={source}>
    <TeamProvider value={team}>
      <Frame panels={PANELS}>
        <Outlet />
      </Frame>
    </TeamProvider>
  </SourceProvider>
);
