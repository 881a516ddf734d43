import { type Guide, type GuidePicture, ORDER, pictureFile } from './guide.ts';

/** All guides, parsed at build time and bundled with this page. */
const MODULES = import.meta.glob<Guide>('../../../docs/guides/*.md', { eager: true, import: 'default' });

export const GUIDES: readonly Guide[] = Object.values(MODULES).sort((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name));

/** The URL of each picture by its path. */
const PICTURES = import.meta.glob<string>('../../../docs/images/*.webp', { eager: true, query: '?url', import: 'default' });

export const addressOf = (picture: GuidePicture, theme: 'light' | 'dark'): string | undefined =>
  PICTURES[`../../../docs/images/${pictureFile(picture, theme)}`];

export const guideNamed = (name: string): Guide | undefined => GUIDES.find((guide) => guide.name === name);
