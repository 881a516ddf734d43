/** What changes the theme is called, by the theme that is shown. */
export const CHANGE_THEME = { light: 'Use dark theme', dark: 'Use light theme' } as const;
