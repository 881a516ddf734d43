import path from 'node:path';
import { marked, type Token, type Tokens } from 'marked';
import type { Plugin } from 'vite';
import {
  type Guide,
  type GuideElement,
  type GuideNode,
  type GuideSection,
  type GuideTag,
  PICTURE_SIZES,
} from '../../dashboard/pages/docs/guide.ts';

/** Converts each guide (`docs/guides/*.md`) into a module at build time, so that readers don't download a parser. */
export function guides(): Plugin {
  return {
    name: 'guides',
    enforce: 'pre',
    transform(code, id) {
      const [file = ''] = id.split('?');
      if (!/docs[/\\]guides[/\\][\w-]+\.md$/.test(file)) return undefined;
      return { code: `export default ${JSON.stringify(readGuide(code, path.basename(file, '.md')))};`, map: null, moduleType: 'js' };
    },
  };
}

/** Parses a guide. Throws for content that pages don't render, such as HTML. */
export function readGuide(text: string, name: string): Guide {
  const [first, ...rest] = marked.lexer(text).filter(({ type }) => type !== 'space' && type !== 'def');
  if (first?.type !== 'heading' || (first as Tokens.Heading).depth !== 1) throw new Error(`${name}.md must begin with its title`);
  const body = rest.map((token) => blockOf(token));
  const lead = body.find((node) => typeof node !== 'string' && node.tag === 'p');
  const title = wordsOf(inline((first as Tokens.Heading).tokens));
  return { name, title, lead: lead ? wordsOf([lead]) : '', body, sections: sectionsOf(title, body) };
}

function blockOf(token: Token): GuideNode {
  switch (token.type) {
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading;
      if (depth !== 2 && depth !== 3) throw new Error(`A guide has headings of level 2 and 3, not ${depth}`);
      const children = inline(tokens);
      return { tag: `h${depth}`, id: anchorOf(wordsOf(children)), children };
    }
    case 'paragraph': {
      const { tokens } = token as Tokens.Paragraph;
      const [first, ...rest] = tokens;
      return first?.type === 'image' && rest.length === 0 ? pictureOf(first as Tokens.Image) : element('p', inline(tokens));
    }
    case 'text': {
      const { tokens, text } = token as Tokens.Text;
      return tokens ? element('p', inline(tokens)) : unescaped(text);
    }
    case 'list': {
      const { ordered, items } = token as Tokens.List;
      return element(
        ordered ? 'ol' : 'ul',
        items.map((item) => element('li', item.tokens.flatMap(inItem))),
      );
    }
    case 'blockquote':
      return element('blockquote', (token as Tokens.Blockquote).tokens.map(blockOf));
    case 'code':
      return element('pre', [element('code', [(token as Tokens.Code).text])]);
    case 'table':
      return tableOf(token as Tokens.Table);
    default:
      throw new Error(`A guide can’t contain ${token.type}: ${token.raw.slice(0, 60)}`);
  }
}

/** Guides link to the light picture, so that it also shows on GitHub. */
function pictureOf({ href, text }: Tokens.Image): GuideElement {
  const [, name, size] = /^\.\.\/images\/([\w-]+)-(\w+)-light\.webp$/.exec(href) ?? [];
  if (name === undefined || !isSize(size)) throw new Error(`A guide shows pictures that \`npm run pictures -- guides\` takes, not ${href}`);
  if (text === '') throw new Error(`${href} has no description`);
  return { tag: 'img', picture: { name, size, shows: unescaped(text) }, children: [] };
}

const isSize = (size: string | undefined): size is keyof typeof PICTURE_SIZES => size !== undefined && Object.hasOwn(PICTURE_SIZES, size);

/** The first line of an item isn't a paragraph; the following ones are. */
function inItem(token: Token): GuideNode[] {
  if (token.type === 'text') return inline((token as Tokens.Text).tokens ?? [token]);
  return token.type === 'space' ? [] : [blockOf(token)];
}

function tableOf({ header, rows }: Tokens.Table): GuideElement {
  const row = (tag: 'th' | 'td', cells: Tokens.TableCell[]) =>
    element(
      'tr',
      cells.map((cell) => element(tag, inline(cell.tokens))),
    );
  return element('table', [
    element('thead', [row('th', header)]),
    element(
      'tbody',
      rows.map((cells) => row('td', cells)),
    ),
  ]);
}

const inline = (tokens: readonly Token[]): GuideNode[] => tokens.map(inlineOf);

function inlineOf(token: Token): GuideNode {
  switch (token.type) {
    case 'text':
    case 'escape':
      return unescaped((token as Tokens.Text).text);
    case 'strong':
    case 'em':
      return element(token.type, inline((token as Tokens.Strong).tokens));
    case 'codespan':
      return element('code', [unescaped((token as Tokens.Codespan).text)]);
    case 'link': {
      const { href, tokens } = token as Tokens.Link;
      return { tag: 'a', to: targetOf(href), children: inline(tokens) };
    }
    default:
      throw new Error(`A guide can’t contain ${token.type}: ${token.raw.slice(0, 60)}`);
  }
}

/** Guides link to each other as files, so that links also work on GitHub. */
function targetOf(href: string): string {
  if (/^https:\/\//.test(href)) return href;
  const [, name, place] = /^([\w-]+)\.md(#[\w-]+)?$/.exec(href) ?? [];
  if (name === undefined) throw new Error(`A guide links to other guides and to https addresses, not to ${href}`);
  return `${name}${place ?? ''}`;
}

const element = (tag: GuideTag, children: readonly GuideNode[]): GuideElement => ({ tag, children });

/** Decodes the HTML entities that the parser leaves in text. */
const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');

/** Returns a heading's anchor as GitHub spells it. */
const anchorOf = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const BLOCKS = new Set<GuideTag>(['p', 'li', 'thead', 'tr', 'td', 'th', 'pre', 'h3', 'blockquote']);

function wordsOf(nodes: readonly GuideNode[]): string {
  return nodes
    .map((node) => (typeof node === 'string' ? node : `${wordsOf(node.children)}${BLOCKS.has(node.tag) ? ' ' : ''}`))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Splits a guide into parts, one for each second-level heading. */
function sectionsOf(title: string, body: readonly GuideNode[]): GuideSection[] {
  const parts: { id?: string; heading: string; nodes: GuideNode[] }[] = [{ heading: title, nodes: [] }];
  for (const node of body) {
    if (typeof node !== 'string' && node.tag === 'h2')
      parts.push({ ...(node.id !== undefined && { id: node.id }), heading: wordsOf(node.children), nodes: [] });
    else parts.at(-1)?.nodes.push(node);
  }
  return parts.map(({ nodes, ...part }) => ({ ...part, words: nodes.map((node) => wordsOf([node])).join(' ') }));
}
