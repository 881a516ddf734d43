import { Page } from '../../ui/Page.tsx';
import { Profile } from './Profile.tsx';

export const ProfilePage = () => (
  <Page title="Profile">
    <Profile />
  </Page>
);
