import { translatable } from '#contract/language/translate.ts';

/** The theme button's label, by the current theme. */
export const CHANGE_THEME = translatable({ light: 'Use dark theme', dark: 'Use light theme' });
