import { IconMoon, IconSun } from '@tabler/icons-react';
import { setTheme, useKept } from '../data/store.ts';
import { ActionIcon } from '../ui/mantine.ts';

export function ThemeButton() {
  const theme = useKept((kept) => kept.theme);
  const isDark = theme === 'dark';
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
