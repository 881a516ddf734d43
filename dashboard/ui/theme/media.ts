/** Matches a window that fits the navigation and two columns. */
export const WIDE = '(min-width: 62em)';
