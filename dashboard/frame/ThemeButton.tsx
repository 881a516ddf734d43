import { IconMoon, IconSun } from '@tabler/icons-react';
import { setTheme, usePersisted } from '../data/persisted.ts';
import { ActionIcon } from '../ui/mantine.ts';

/** Turns the light theme to the dark one, and back. */
export function ThemeButton() {
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
