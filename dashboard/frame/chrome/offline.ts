/** What stands on the page may be old. */
export const OFFLINE = 'You’re offline. This is what we last loaded; it will update when you’re back.';
