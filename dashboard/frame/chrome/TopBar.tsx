import { Link } from '@tanstack/react-router';
import { initials } from '#contract/core/names.ts';
import { t } from '../../language.ts';
import { paths as teamPaths } from '../../paths.ts';
import { MenuButton } from '../../ui/MenuButton.tsx';
import { loadedLater } from '../../ui/page/Later.tsx';
import { Wordmark } from '../../ui/page/Wordmark.tsx';
import { ActionIcon } from '../../ui/theme/mantine.ts';
import { UserAvatar } from '../../ui/UserAvatar.tsx';
import { usePanel } from '../panel.ts';
import { useTeam } from '../team.ts';
import { Bell } from './Bell.tsx';
import styles from './Frame.module.css';
import { PaletteButton, type PaletteContent } from './PaletteButton.tsx';
import { ShortcutsHelp } from './ShortcutsHelp.tsx';
import { ThemeButton } from './ThemeButton.tsx';

const AccountItems = loadedLater(() => import('./AccountItems.tsx'), 'AccountItems');

/** The top bar: a link home, the business's name, search, notifications and the account menu. */
export function TopBar({ Palette }: { Palette: PaletteContent }) {
  const { account, paths, isTeamless } = useTeam();
  return (
    <header className={styles['top']}>
      <Link
        to={isTeamless ? teamPaths.operatorAccounts : paths.feed}
        className={styles['home']}
        aria-label={isTeamless ? t('Afterword, operator area') : t('Afterword, all feedback')}
      >
        <Wordmark />
      </Link>
      {isTeamless ? <span className={styles['business']}>{account.data.displayName}</span> : <Business name={account.data.displayName} />}
      <PaletteButton Palette={Palette} />
      {!isTeamless && <Bell />}
      <ShortcutsHelp />
      <ThemeButton />
      <AccountMenu />
    </header>
  );
}

const BUSINESS = 'open-account';

/** The business's name, which opens the account's panel. */
function Business({ name }: { name: string }) {
  const { open } = usePanel();
  return (
    <div className={styles['business']}>
      <button
        type="button"
        id={BUSINESS}
        aria-haspopup="dialog"
        aria-label={t('{name}, account', { name })}
        onClick={() => open('account', { opener: BUSINESS })}
      >
        {name}
      </button>
    </div>
  );
}

const OPENER = 'account-menu';

/** The signed-in person's menu. */
function AccountMenu() {
  const { user } = useTeam();
  return (
    <MenuButton
      button={
        <ActionIcon
          id={OPENER}
          variant="subtle"
          size="xl"
          radius="xl"
          aria-label={t('{initials}, your account', { initials: initials(user.data.displayName) })}
        >
          <UserAvatar person={user} size={30} />
        </ActionIcon>
      }
    >
      <AccountItems opener={OPENER} />
    </MenuButton>
  );
}
