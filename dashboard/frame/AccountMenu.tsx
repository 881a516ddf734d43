import { IconLogout } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { initials } from '#contract/user.ts';
import { paths } from '../paths.ts';
import { ActionIcon, Avatar, Menu } from '../ui/mantine.ts';
import styles from './AccountMenu.module.css';
import { useTeam } from './data.tsx';

/** Who is signed in, and the way out. */
export function AccountMenu() {
  const { user, isDemo } = useTeam();
  const navigate = useNavigate();
  const { displayName, emailAddress } = user.data;
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" size="xl" radius="xl" aria-label={`${initials(displayName)}, your account`}>
          <Avatar size={30} radius="xl" className={styles['avatar'] ?? ''} aria-hidden>
            {initials(displayName)}
          </Avatar>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={styles['who']}>
          <strong>{displayName}</strong>
          <span>{emailAddress}</span>
        </div>
        <Menu.Divider />
        {isDemo ? (
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} component={Link} to={paths.feed}>
            Leave demo
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void navigate({ to: paths.signOut })}>
            Sign out
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
