import { translatable } from '#contract/language/translate.ts';

/** Shown while offline, when the page may be outdated. */
export const OFFLINE = translatable('You’re offline. This is what we last loaded; it will update when you’re back.');
