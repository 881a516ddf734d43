import { Outlet } from '@tanstack/react-router';
import { translatable } from '#contract/language/translate.ts';
import { type DataSource, SourceProvider } from '../data/source.ts';
import { Frame } from '../frame/chrome/Frame.tsx';
import type { PanelList } from '../frame/chrome/Panels.tsx';
import { type Team, TeamProvider } from '../frame/team.ts';
import { loadedLater } from '../ui/page/Later.tsx';

import { PersonsLanguage } from './PersonsLanguage.tsx';

/** Every panel (docs/rules.md#panels), each loaded when it's first opened. */
const PANELS: PanelList = {
  profile: {
    title: translatable('Profile'),
    Content: loadedLater(() => import('../pages/profile/ProfilePage.tsx'), 'ProfilePanel'),
  },
  account: {
    title: translatable('Account'),
    Content: loadedLater(() => import('../pages/administration/AccountPanel.tsx'), 'AccountPanel'),
  },
  plan: {
    title: translatable('Plan'),
    Content: loadedLater(() => import('../pages/administration/plan/PlanPanel.tsx'), 'PlanPanel'),
  },
  password: {
    title: translatable('Change password'),
    Content: loadedLater(() => import('../pages/profile/PasswordPanel.tsx'), 'PasswordPanel'),
  },
  comments: {
    title: translatable('Comments'),
    Content: loadedLater(() => import('../pages/feed/comments/CommentsPanel.tsx'), 'CommentsPanel'),
  },
  notifications: {
    title: translatable('Notifications'),
    Content: loadedLater(() => import('../pages/notifications/NotificationsPanel.tsx'), 'NotificationsPanel'),
  },
  'internal-feedback': {
    title: translatable('Send feedback'),
    Content: loadedLater(() => import('../pages/messages/MessagePanel.tsx'), 'FeedbackPanel'),
  },
  'report-bug': {
    title: translatable('Report a bug'),
    Content: loadedLater(() => import('../pages/messages/MessagePanel.tsx'), 'BugPanel'),
  },
  user: { title: translatable('User'), Content: loadedLater(() => import('../pages/users/UserPanel.tsx'), 'UserPanel') },
  property: {
    title: translatable('Property'),
    Content: loadedLater(() => import('../pages/properties/PropertyPanel.tsx'), 'PropertyPanel'),
  },
};

const Palette = loadedLater(() => import('./palette/Palette.tsx'), 'Palette');

/** A team's pages inside the frame, with data from the server or the demo. */
export const TeamArea = ({ source, team }: { source: DataSource; team: Team }) => (
  <SourceProvider value={source}>
    <TeamProvider value={team}>
      <Frame panels={PANELS} Palette={Palette}>
        <Outlet />
        {!team.isDemo && !team.isPersisted && !team.isTeamless && <PersonsLanguage />}
      </Frame>
    </TeamProvider>
  </SourceProvider>
);
