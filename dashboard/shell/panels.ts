import { lazy } from 'react';
import type { PanelList } from '../frame/Panels.tsx';

/** Every panel that can lie over a page (design §3), loaded when it is opened first. */
export const PANELS: PanelList = {
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
