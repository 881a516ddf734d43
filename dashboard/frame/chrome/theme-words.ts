/** The theme button's label, by the current theme. */
export const CHANGE_THEME = { light: 'Use dark theme', dark: 'Use light theme' } as const;
