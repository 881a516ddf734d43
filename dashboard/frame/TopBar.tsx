import { IconKey, IconLogout, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { initials } from '#contract/user.ts';
import { setTheme, usePersisted } from '../data/persisted.ts';
import { paths as teamPaths } from '../paths.ts';
import { ActionIcon, Menu } from '../ui/mantine.ts';
import { UserAvatar } from '../ui/UserAvatar.tsx';
import { Wordmark } from '../ui/Wordmark.tsx';
import styles from './Frame.module.css';
import { usePanel } from './panel.ts';
import { ShortcutsHelp } from './ShortcutsHelp.tsx';
import { useTeam } from './team.ts';

/** A link home, the business's name, and what belongs to the signed-in person. */
export function TopBar() {
  const { account, paths } = useTeam();
  return (
    <header className={styles['top']}>
      <Link to={paths.feed} className={styles['home']} aria-label="Afterword, all feedback">
        <Wordmark />
      </Link>
      <span className={styles['business']}>{account.data.displayName}</span>
      <ShortcutsHelp />
      <ThemeButton />
      <AccountMenu />
    </header>
  );
}

function ThemeButton() {
  const isDark = usePersisted((persisted) => persisted.theme) === 'dark';
  return (
    <ActionIcon
      variant="subtle"
      size="xl"
      aria-label={isDark ? 'Use light theme' : 'Use dark theme'}
      onClick={() => setTheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <IconSun size={20} aria-hidden /> : <IconMoon size={20} aria-hidden />}
    </ActionIcon>
  );
}

const OPENER = 'account-menu';

/** The signed-in person's menu: profile, password, signing out. */
function AccountMenu() {
  const { user, isDemo, paths } = useTeam();
  const { open } = usePanel();
  const navigate = useNavigate();
  const { displayName, emailAddress } = user.data;
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon id={OPENER} variant="subtle" size="xl" radius="xl" aria-label={`${initials(displayName)}, your account`}>
          <UserAvatar person={user} size={30} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={styles['who']}>
          <strong>{displayName}</strong>
          <span>{emailAddress}</span>
        </div>
        <Menu.Divider />
        <Menu.Item leftSection={<IconUserCircle size={16} aria-hidden />} component={Link} to={paths.profile}>
          Profile
        </Menu.Item>
        {!isDemo && (
          <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={() => open('password', { opener: OPENER })}>
            Change password
          </Menu.Item>
        )}
        <Menu.Divider />
        {isDemo ? (
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} component={Link} to={teamPaths.feed}>
            Leave demo
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void navigate({ to: teamPaths.signOut })}>
            Sign out
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
