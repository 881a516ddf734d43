import { Outlet } from '@tanstack/react-router';
import { type DataSource, SourceProvider } from '../data/source.ts';
import { Frame } from '../frame/chrome/Frame.tsx';
import type { PanelList } from '../frame/chrome/Panels.tsx';
import { type Team, TeamProvider } from '../frame/team.ts';
import { loadedLater } from '../ui/page/Later.tsx';

/** Every panel (docs/rules.md#panels), each loaded when it's first opened. */
const PANELS: PanelList = {
  profile: {
    title: 'Profile',
    Content: loadedLater(() => import('../pages/profile/ProfilePage.tsx'), 'ProfilePanel'),
  },
  account: {
    title: 'Account',
    Content: loadedLater(() => import('../pages/administration/AccountPanel.tsx'), 'AccountPanel'),
  },
  plan: {
    title: 'Plan',
    Content: loadedLater(() => import('../pages/administration/plan/PlanPanel.tsx'), 'PlanPanel'),
  },
  password: {
    title: 'Change password',
    Content: loadedLater(() => import('../pages/profile/PasswordPanel.tsx'), 'PasswordPanel'),
  },
  comments: {
    title: 'Comments',
    Content: loadedLater(() => import('../pages/feed/comments/CommentsPanel.tsx'), 'CommentsPanel'),
  },
  notifications: {
    title: 'Notifications',
    Content: loadedLater(() => import('../pages/notifications/NotificationsPanel.tsx'), 'NotificationsPanel'),
  },
  'internal-feedback': {
    title: 'Send feedback',
    Content: loadedLater(() => import('../pages/messages/MessagePanel.tsx'), 'FeedbackPanel'),
  },
  'report-bug': {
    title: 'Report a bug',
    Content: loadedLater(() => import('../pages/messages/MessagePanel.tsx'), 'BugPanel'),
  },
  user: { title: 'User', Content: loadedLater(() => import('../pages/users/UserPanel.tsx'), 'UserPanel') },
  property: {
    title: 'Property',
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
      </Frame>
    </TeamProvider>
  </SourceProvider>
);
