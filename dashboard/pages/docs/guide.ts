/* What a guide is once the build has read its Markdown: parts that a page draws as elements, so that no text becomes HTML in the browser. */

/** The elements that a guide is made of. */
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

/** What pictures of screens are as large as, in CSS pixels. */
export const PICTURE_SIZES = { phone: { width: 375, height: 640 }, desk: { width: 1120, height: 700 } } as const;
/** How many dots each of these has: a guide shows them smaller. */
export const PICTURE_DOTS = 1.6;

/** A picture of a screen, `docs/images/<name>-<size>-<theme>.webp`. */
export interface GuidePicture {
  readonly name: string;
  readonly size: keyof typeof PICTURE_SIZES;
  /** What it shows, in words. */
  readonly shows: string;
}

/** Where a picture lies, below `docs/images`. */
export const pictureFile = ({ name, size }: Pick<GuidePicture, 'name' | 'size'>, theme: 'light' | 'dark'): string =>
  `${name}-${size}-${theme}.webp`;

/** Words, or an element with what is in it. */
export type GuideNode = string | GuideElement;

export interface GuideElement {
  readonly tag: GuideTag;
  /** Of a heading: what links into the page end with. */
  readonly id?: string;
  /** Of a link: another guide's name and place, or an address of the web. */
  readonly to?: string;
  /** Of a picture. */
  readonly picture?: GuidePicture;
  readonly children: readonly GuideNode[];
}

/** A part of a guide below one of its headings, for the search. The first has none. */
export interface GuideSection {
  readonly id?: string;
  readonly heading: string;
  readonly words: string;
}

export interface Guide {
  readonly name: string;
  readonly title: string;
  /** The first paragraph, as the table of contents says it. */
  readonly lead: string;
  readonly body: readonly GuideNode[];
  readonly sections: readonly GuideSection[];
}

interface GuideGroup {
  readonly title: string;
  readonly names: readonly string[];
}

/** The table of contents, which is also the order of reading. */
export const CONTENTS: readonly GuideGroup[] = [
  { title: 'Every day', names: ['start', 'feedback', 'notifications', 'comments', 'numbers', 'form'] },
  { title: 'For admins', names: ['team', 'account'] },
  { title: 'For everyone who signs in', names: ['security'] },
  { title: 'For self-hosters', names: ['settings', 'operations', 'postgresql', 'cognito', 'operators', 'payments'] },
  { title: 'For developers', names: ['developers', 'webhooks', 'api'] },
];

export const ORDER: readonly string[] = CONTENTS.flatMap(({ names }) => names);

/** The guides before and after one, in the order of reading. */
export function neighbours(name: string): { readonly before: string | undefined; readonly after: string | undefined } {
  const at = ORDER.indexOf(name);
  return { before: at > 0 ? ORDER[at - 1] : undefined, after: at === -1 ? undefined : ORDER[at + 1] };
}

export interface GuideHit {
  readonly name: string;
  readonly title: string;
  readonly id: string | undefined;
  readonly heading: string;
  /** The words around the first one that was found. */
  readonly excerpt: string;
}

const MOST_HITS = 12;
const [BEFORE, AFTER] = [40, 120];

/** Where all of the words stand, headings first; each part of a guide once. */
export function searchGuides(guides: readonly Guide[], text: string): GuideHit[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return guides
    .flatMap(({ name, title, sections }) =>
      sections.map(({ id, heading, words: said }) => ({
        hit: { name, title, id, heading, excerpt: excerptOf(said, words) },
        score: words.every((word) => heading.toLowerCase().includes(word))
          ? 2
          : Number(words.every((word) => `${title} ${heading} ${said}`.toLowerCase().includes(word))),
      })),
    )
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_HITS)
    .map(({ hit }) => hit);
}

function excerptOf(said: string, words: readonly string[]): string {
  const found = words.map((word) => said.toLowerCase().indexOf(word)).filter((place) => place !== -1);
  const at = Math.max(0, Math.min(...found, said.length) - BEFORE);
  const from = at === 0 || found.length === 0 ? 0 : said.indexOf(' ', at) + 1;
  const excerpt = said.slice(from, from + BEFORE + AFTER).trim();
  return `${from > 0 ? '… ' : ''}${excerpt}${from + BEFORE + AFTER < said.length ? ' …' : ''}`;
}
