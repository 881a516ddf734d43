import { IconMoon, IconSun } from '@tabler/icons-react';
import { setTheme, usePersisted } from '../../data/persisted.ts';
import { t } from '../../language.ts';
import { ActionIcon } from '../../ui/theme/mantine.ts';
import styles from './ThemeButton.module.css';
import { CHANGE_THEME } from './theme-words.ts';

/** Switches between the light and the dark theme. */
export function ThemeButton() {
  const theme = usePersisted((persisted) => persisted.theme);
  return (
    <ActionIcon
      variant="subtle"
      size="xl"
      aria-label={t(CHANGE_THEME[theme])}
      onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
    >
      {/* CSS shows one of them by the document's theme, so that it's right even before hydration. */}
      <IconSun size={20} className={styles['inDark'] ?? ''} aria-hidden />
      <IconMoon size={20} className={styles['inLight'] ?? ''} aria-hidden />
    </ActionIcon>
  );
}
