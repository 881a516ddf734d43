import { translatable, type Untranslated } from '#contract/language/translate.ts';

/* A guide as parsed from Markdown at build time. The page renders its nodes as elements, so the browser never parses HTML from text. */

/** The elements of a guide. */
export type GuideTag =
  | 'p'
  | 'h2'
  | 'h3'
  | 'ul'
  | 'ol'
  | 'li'
  | 'strong'
  | 'em'
  | 'code'
  | 'pre'
  | 'a'
  | 'blockquote'
  | 'table'
  | 'thead'
  | 'tbody'
  | 'tr'
  | 'th'
  | 'td'
  | 'img';

/** The sizes of screenshots (CSS pixels). */
export const PICTURE_SIZES = { phone: { width: 375, height: 640 }, desk: { width: 1120, height: 700 } } as const;
/** The device pixel ratio of screenshots. Guides show them smaller. */
export const PICTURE_DOTS = 1.6;

/** A picture of a screen, `docs/images/<name>-<size>-<theme>.webp`. */
export interface GuidePicture {
  readonly name: string;
  readonly size: keyof typeof PICTURE_SIZES;
  /** The alternative text. */
  readonly shows: string;
}

/** Returns a picture's path below `docs/images`. */
export const pictureFile = ({ name, size }: Pick<GuidePicture, 'name' | 'size'>, theme: 'light' | 'dark'): string =>
  `${name}-${size}-${theme}.webp`;

/** A text or an element. */
export type GuideNode = string | GuideElement;

export interface GuideElement {
  readonly tag: GuideTag;
  /** A heading's anchor. */
  readonly id?: string;
  /** A link's target: another guide with an optional anchor, or a URL. */
  readonly to?: string;
  /** Set for pictures. */
  readonly picture?: GuidePicture;
  readonly children: readonly GuideNode[];
}

/** The part of a guide below a heading, for the search. The first has no id. */
export interface GuideSection {
  readonly id?: string;
  readonly heading: string;
  readonly words: string;
}

export interface Guide {
  readonly name: string;
  readonly title: string;
  /** The first paragraph, shown in the table of contents. */
  readonly lead: string;
  readonly body: readonly GuideNode[];
  readonly sections: readonly GuideSection[];
}

interface GuideGroup {
  readonly title: Untranslated;
  readonly names: readonly string[];
}

/** The table of contents, in reading order. */
export const CONTENTS: readonly GuideGroup[] = [
  {
    title: translatable('Every day'),
    names: ['start', 'feedback', 'notifications', 'comments', 'replies', 'numbers', 'form', 'kiosk', 'embed'],
  },
  { title: translatable('For admins'), names: ['topics', 'requests', 'team', 'brand', 'account'] },
  { title: translatable('For everyone who signs in'), names: ['security'] },
  { title: translatable('For self-hosters'), names: ['settings', 'operations', 'postgresql', 'cognito', 'operators', 'payments'] },
  { title: translatable('For developers'), names: ['developers', 'webhooks', 'api'] },
];

export const ORDER: readonly string[] = CONTENTS.flatMap(({ names }) => names);

/** Returns the previous and next guides in reading order. */
export function neighbors(name: string): { readonly before: string | undefined; readonly after: string | undefined } {
  const at = ORDER.indexOf(name);
  return { before: at > 0 ? ORDER[at - 1] : undefined, after: at === -1 ? undefined : ORDER[at + 1] };
}
