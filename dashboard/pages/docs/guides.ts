import { type Guide, type GuidePicture, ORDER, pictureFile } from './guide.ts';

/** Every guide, as the build read it. They come with this page, in one piece. */
const READ = import.meta.glob<Guide>('../../../docs/guides/*.md', { eager: true, import: 'default' });

export const GUIDES: readonly Guide[] = Object.values(READ).sort((one, other) => ORDER.indexOf(one.name) - ORDER.indexOf(other.name));

/** Where each picture of a screen is fetched from. */
const PICTURES = import.meta.glob<string>('../../../docs/images/*.webp', { eager: true, query: '?url', import: 'default' });

export const addressOf = (picture: GuidePicture, theme: 'light' | 'dark'): string | undefined =>
  PICTURES[`../../../docs/images/${pictureFile(picture, theme)}`];

export const guideNamed = (name: string): Guide | undefined => GUIDES.find((guide) => guide.name === name);
