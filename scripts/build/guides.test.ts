import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { wordsIn } from '#contract/feedback/search.ts';
import {
  type Guide,
  type GuideElement,
  type GuideNode,
  neighbors,
  ORDER,
  PICTURE_DOTS,
  PICTURE_SIZES,
  pictureFile,
} from '#dashboard/pages/docs/guide.ts';
import { openSearch } from '#dashboard/pages/docs/search.ts';
import { SYNONYMS, stemOf } from '#dashboard/pages/docs/synonyms.ts';
import { readGuide } from './guides.ts';

const root = path.resolve(import.meta.dirname, '../..');
const guides: readonly Guide[] = globSync('docs/guides/*.md', { cwd: root }).map((file) =>
  readGuide(readFileSync(path.join(root, file), 'utf8'), path.basename(file, '.md')),
);
/** Texts on the product's screens. */
const screens = globSync('{dashboard,form,kiosk,contract}/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !file.includes('.test.') && !file.startsWith('dashboard/pages/docs/'))
  .map((file) => readFileSync(path.join(root, file), 'utf8').replace(/\s+/g, ' '))
  .join('\n');

const elementsIn = (nodes: readonly GuideNode[]): GuideElement[] =>
  nodes.flatMap((node) => (typeof node === 'string' ? [] : [node, ...elementsIn(node.children)]));
const textOf = (nodes: readonly GuideNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('');
const guideNamed = (name: string): Guide | undefined => guides.find((guide) => guide.name === name);

describe('the guides', () => {
  it('are each in the table of contents once, without other entries', () => {
    expect([...ORDER].sort()).toEqual(guides.map(({ name }) => name).sort());
    expect(new Set(ORDER).size).toBe(ORDER.length);
  });

  it.each(guides)('$name uses the screens’ labels', ({ body }) => {
    const labels = elementsIn(body)
      .filter(({ tag }) => tag === 'strong')
      .map(({ children }) => textOf(children));
    expect(labels.filter((label) => !screens.includes(label))).toEqual([]);
  });

  it.each(guides)('$name links to existing guides and headings', ({ body }) => {
    const targets = elementsIn(body).flatMap(({ to }) => (to === undefined || to.startsWith('https://') ? [] : [to]));
    const broken = targets.filter((to) => {
      const [name = '', heading] = to.split('#');
      return !guideNamed(name) || (heading !== undefined && !elementsIn(guideNamed(name)?.body ?? []).some(({ id }) => id === heading));
    });
    expect(broken).toEqual([]);
  });

  it('list every keyboard shortcut of the feed', () => {
    const table = textOf(elementsIn(guideNamed('feedback')?.body ?? []).filter(({ tag }) => tag === 'table'));
    const source = readFileSync(path.join(root, 'dashboard/frame/chrome/shortcuts.ts'), 'utf8');
    const shown = [...source.matchAll(/ keys: \[((?:'[^']'(?:, )?)+)\]/g)].flatMap(([, list = '']) =>
      [...list.matchAll(/'([^'])'/g)].map(([, key = '']) => key),
    );
    const keys = shown.filter((key) => !['↓', '↑', '–'].includes(key));
    expect(keys.length).toBeGreaterThan(8);
    for (const key of keys) expect(table).toContain(key);
  });

  it('link to the next and previous guide', () => {
    const visited = [ORDER[0]];
    for (let next = neighbors(ORDER[0] ?? '').after; next !== undefined; next = neighbors(next).after) visited.push(next);
    expect(visited).toEqual(ORDER);
    expect(neighbors('nowhere')).toEqual({ before: undefined, after: undefined });
  });
});

describe('the pictures of the guides', () => {
  const pictures = guides.flatMap(({ body }) => elementsIn(body).flatMap(({ picture }) => picture ?? []));
  const files = globSync('docs/images/*.webp', { cwd: root }).map((file) => path.basename(file));

  it('exist in both themes, without unused ones', () => {
    expect(pictures.length).toBeGreaterThan(8);
    const shown = pictures.flatMap((picture) => [pictureFile(picture, 'light'), pictureFile(picture, 'dark')]);
    expect(files.sort()).toEqual([...new Set(shown)].sort());
  });

  it.each(files)('%s has the size at which it is shown', (file) => {
    const { size } = pictures.find((picture) => file.startsWith(`${picture.name}-${picture.size}-`)) ?? {};
    const bytes = readFileSync(path.join(root, 'docs/images', file));
    // A WebP with a color profile stores its width and height here: minus one, in three bytes each.
    expect(bytes.toString('latin1', 12, 16)).toBe('VP8X');
    const { width, height } = PICTURE_SIZES[size ?? 'desk'];
    expect([bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]).toEqual([width * PICTURE_DOTS, height * PICTURE_DOTS]);
    expect(bytes.length).toBeLessThan(120_000);
  });

  it('are all taken by a journey', () => {
    const journey = readFileSync(path.join(root, 'e2e/look/guides.test.ts'), 'utf8').replace(/\s+/g, ' ');
    expect(pictures.filter(({ name, size }) => !journey.includes(`name: '${name}', size: '${size}'`))).toEqual([]);
    expect(journey.match(/ size: '/g)).toHaveLength(new Set(pictures.map(({ name }) => name)).size);
  });
});

describe('reading a guide', () => {
  it('decodes entities, and links to other guides by name', () => {
    const { title, lead, body, sections } = readGuide(
      '# A & B\n\nFor `<b>` & *you*: [more](team.md#levels).\n\n## Part two\n\n- one\n- **two**\n',
      'x',
    );
    expect([title, lead]).toEqual(['A & B', 'For <b> & you: more.']);
    expect(elementsIn(body).map(({ tag }) => tag)).toEqual(['p', 'code', 'em', 'a', 'h2', 'ul', 'li', 'li', 'strong']);
    expect(elementsIn(body).find(({ tag }) => tag === 'a')?.to).toBe('team#levels');
    expect(sections.map(({ id, heading, words }) => [id, heading, words])).toEqual([
      [undefined, 'A & B', 'For <b> & you: more.'],
      ['part-two', 'Part two', 'one two'],
    ]);
  });

  it.each([
    ['HTML', '# A\n\n<script>alert(1)</script>\n'],
    ['HTML within a paragraph', '# A\n\nSay <b>no</b>.\n'],
    ['a picture from another folder', '# A\n\n![x](x.png)\n'],
    ['a picture of an unknown size', '# A\n\n![x](../images/feed-wall-light.webp)\n'],
    ['a picture without a description', '# A\n\n![](../images/feed-phone-light.webp)\n'],
    ['a picture within a paragraph', '# A\n\nSee ![x](../images/feed-phone-light.webp)\n'],
    ['a link that runs a script', '# A\n\n[x](javascript:alert(1))\n'],
    ['a link out of the guides', '# A\n\n[x](../rules.md)\n'],
    ['no title', 'A\n'],
  ])('refuses %s', (_what, text) => {
    expect(() => readGuide(text, 'x')).toThrow();
  });
});

describe('the search', () => {
  const search = openSearch(guides);

  it.each([
    ['invite teammate', 'team#invite-a-teammate'],
    ['BACKUP codes phone', 'security#two-step-sign-in'],
    ['erase visitor data', 'account#delete-a-visitors-data'],
    ['manager one property only', 'team#levels'],
    ['logo colour', 'form#logo-and-colors'],
    ['language', 'form#languages'],
    ['urgent means', 'feedback#the-three-lists'],
    ['spam', 'feedback#answers-set-aside'],
    ['is it anonymous?', 'form#privacy'],
    ['NPS', 'numbers#from-the-form-to-a-review'],
    ['google review link', 'form#review-invitations'],
    ['how do I print a QR code', 'start#put-the-form-where-visitors-are'],
  ])('%s finds %s first', (text, first) => {
    const [hit] = search(text).hits;
    expect(`${hit?.name}#${hit?.id}`).toBe(first);
  });

  it('lists sections with all the words before those with some', () => {
    const counts = search('backup codes phone').hits.map(({ matches }) => new Set(matches.match(/backup|code|phone/g)).size);
    expect(counts.length).toBeGreaterThan(4);
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
  });

  it('reports the words that it replaced or dropped', () => {
    expect(search('wipe')).toMatchObject({ missing: ['wipe'], searched: 'delete' });
    expect(search('Zeppelin notifcations')).toMatchObject({ missing: ['Zeppelin', 'notifcations'], searched: 'notifications' });
    expect(search('invit teammates')).toMatchObject({ missing: [], searched: 'invit teammates' });
  });

  it('shows the text around the matches, with the words to highlight', () => {
    const [hit] = search('lost phone codes').hits;
    expect(hit?.excerpt).toMatch(/^… .*lost your phone and your codes.* …$/);
    expect(hit?.matches).toContain('"phone"');
  });

  it('finds nothing for an empty search, for filler words and for nonsense', () => {
    for (const text of ['  ', 'how do I', 'zeppelin', '?']) expect(search(text).hits).toEqual([]);
  });

  it('replaces words only with words of the guides', () => {
    const all = guides.flatMap(({ title, sections }) => [title, ...sections.flatMap(({ heading, words }) => [heading, words])]).join(' ');
    const stems = new Set(wordsIn(all).map(({ word }) => stemOf(word)));
    expect([...SYNONYMS.values()].filter((word) => !stems.has(stemOf(word)))).toEqual([]);
  });
});
