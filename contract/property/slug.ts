import type { Property } from './property.ts';

/* The names of properties in URLs. */

const ACCENTS = /[\u0300-\u036f]/g;

/** Returns a name for a URL: lowercase, with dashes for everything but letters and digits. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

/** Returns whether a name in a URL is this property's id or slug. */
export const isPropertyNamed = (name: string, { id, data }: Property): boolean =>
  name === id || name.normalize('NFC') === slugOf(data.displayName);

const pathOf = (name: string, page: string): string => `/properties/${encodeURIComponent(slugOf(name))}/${page}`;
/** Returns the path of a property's feed, which everyone on the team can open. */
export const feedPath = (name: string): string => pathOf(name, 'feedback');
/** Returns the path of the page where admins share a property's form and see its kiosks. */
export const sharePath = (name: string): string => pathOf(name, 'configuration?tab=share');
