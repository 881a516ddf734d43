import { IconBuilding, IconKey, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { t } from '../../language.ts';
import { paths as teamPaths } from '../../paths.ts';
import { Menu } from '../../ui/layers/overlays.ts';
import { usePanel } from '../panel.ts';
import { useTeam } from '../team.ts';
import styles from './Frame.module.css';

/** The items of the account menu: profile, account, password and sign-out. */
export function AccountItems({ opener }: { opener: string }) {
  const { user, isDemo, isTeamless, paths } = useTeam();
  const { open } = usePanel();
  const navigate = useNavigate();
  // The profile page has everything in the panel.
  const isProfile = useRouterState({ select: ({ location }) => location.pathname === paths.profile });
  const { displayName, emailAddress } = user.data;
  return (
    <>
      <div className={styles['who']}>
        <strong>{displayName}</strong>
        <span>{emailAddress}</span>
      </div>
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconUserCircle size={16} aria-hidden />}
        onClick={() => (isProfile ? void navigate({ to: paths.profile }) : open('profile', { opener }))}
      >
        {t('Profile')}
      </Menu.Item>
      {!isTeamless && (
        <Menu.Item leftSection={<IconBuilding size={16} aria-hidden />} onClick={() => open('account', { opener })}>
          {t('Account')}
        </Menu.Item>
      )}
      {!isDemo && (
        <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={() => open('password', { opener })}>
          {t('Change password')}
        </Menu.Item>
      )}
      <Menu.Divider />
      {isDemo ? (
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} component={Link} to={teamPaths.feed}>
          {t('Leave demo')}
        </Menu.Item>
      ) : (
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void navigate({ to: teamPaths.signOut })}>
          {t('Sign out')}
        </Menu.Item>
      )}
    </>
  );
}
