import { type Guide, ORDER } from './guide.ts';

/** Every guide, as the build read it. They come with this page, in one piece. */
const READ = import.meta.glob<Guide>('../../../docs/guides/*.md', { eager: true, import: 'default' });

export const GUIDES: readonly Guide[] = Object.values(READ).sort((one, other) => ORDER.indexOf(one.name) - ORDER.indexOf(other.name));

export const guideNamed = (name: string): Guide | undefined => GUIDES.find((guide) => guide.name === name);
