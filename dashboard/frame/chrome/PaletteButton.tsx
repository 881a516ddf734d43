import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ComponentType, useEffect } from 'react';
import { t } from '../../language.ts';
import { type Paths, paths as teamPaths } from '../../paths.ts';
import { useLayer } from '../../ui/layers/useLayer.ts';
import { toast } from '../../ui/messages/Toasts.tsx';
import { Later } from '../../ui/page/Later.tsx';
import { Kbd } from '../../ui/theme/mantine.ts';
import { type Team, useTeam } from '../team.ts';
import styles from './Frame.module.css';
import { type Destination, useShortcuts } from './shortcuts.ts';

export interface PaletteProps {
  readonly onClose: () => void;
}

/** The palette's component. Passed in, because it depends on pages and the frame doesn't. */
export type PaletteContent = ComponentType<PaletteProps>;

export const PALETTE_BUTTON = 'open-palette';

/** Opens the palette, also by its shortcut, and handles the shortcuts that go to pages. */
export function PaletteButton({ Palette }: { Palette: PaletteContent }) {
  const team = useTeam();
  const navigate = useNavigate();
  const [isOpen, palette] = useLayer('palette');
  useShortcuts((command) => {
    if (command.do === 'palette') palette.toggle();
    const to = command.do === 'go' ? addressOf(command.to, team) : undefined;
    if (to !== undefined) void navigate({ to });
    return command.do === 'palette' || to !== undefined;
  });
  return (
    <>
      <button
        type="button"
        id={PALETTE_BUTTON}
        className={styles['palette']}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title={t('Search or jump to… (Ctrl K)')}
        onClick={palette.open}
      >
        <IconSearch size={18} aria-hidden />
        <span className={styles['paletteLabel']}>{t('Search or jump to…')}</span>
        <Kbd size="xs" className={styles['paletteKeys'] ?? ''} aria-hidden>
          {t('Ctrl K')}
        </Kbd>
      </button>
      {/* Renders nothing while it loads, so that the page stays usable. */}
      <Later key={String(isOpen)} failed={<NotOpened onClose={palette.close} />}>
        {isOpen && <Palette onClose={palette.close} />}
      </Later>
    </>
  );
}

function NotOpened({ onClose }: PaletteProps) {
  useEffect(() => {
    toast(t('Search didn’t load. Reload the page to try again.'), { tone: 'failed' });
    onClose();
  }, [onClose]);
  return null;
}

/** Returns a page's address; undefined if the person may not open it. */
function addressOf(to: Destination, { paths, user, isTeamless }: Team & { readonly paths: Paths }): string | undefined {
  if (to === 'docs') return teamPaths.docs;
  const isForAdmins = to === 'users' || to === 'administration';
  return isTeamless || (isForAdmins && user.data.level !== 'admin') ? undefined : paths[to];
}
