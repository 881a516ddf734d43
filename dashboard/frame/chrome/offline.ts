/** Shown while offline, when the page may be outdated. */
export const OFFLINE = 'You’re offline. This is what we last loaded; it will update when you’re back.';
