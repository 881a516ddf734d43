/** A window that has room for the navigation and two columns beside it. */
export const WIDE = '(min-width: 62em)';
