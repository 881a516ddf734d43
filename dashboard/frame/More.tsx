import { IconDots, IconLogout, IconShieldLock, IconUserCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { paths as teamPaths } from '../paths.ts';
import { useDisclosure } from '../ui/mantine.ts';
import { BottomSheet } from '../ui/SidePanel.tsx';
import styles from './Frame.module.css';
import { adminPlaces, type Place } from './places.ts';
import { useTeam } from './team.ts';

/** The fourth tab: everything that is not asked for every day. */
export function More() {
  const team = useTeam();
  const { paths, isOperator, isDemo } = team;
  const [isOpen, sheet] = useDisclosure();
  const places: readonly Place[] = [
    ...adminPlaces(team, paths),
    { to: paths.profile, label: 'Profile', Icon: IconUserCircle },
    ...(isOperator ? [{ to: teamPaths.masterAccounts, label: 'Operator area', Icon: IconShieldLock }] : []),
    { to: isDemo ? teamPaths.feed : teamPaths.signOut, label: isDemo ? 'Leave demo' : 'Sign out', Icon: IconLogout },
  ];
  return (
    <>
      <button type="button" className={styles['tab']} aria-haspopup="dialog" onClick={sheet.open}>
        <span className={styles['icon']}>
          <IconDots size={22} aria-hidden />
        </span>
        More
      </button>
      <BottomSheet isOpen={isOpen} title="More" onClose={sheet.close}>
        <ul className={styles['places']}>
          {places.map(({ to, label, Icon }) => (
            <li key={to}>
              <Link to={to} className={`${styles['place']} ${styles['large']}`} onClick={sheet.close}>
                <Icon size={20} aria-hidden />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </BottomSheet>
    </>
  );
}
