import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Rule } from './rules.ts';
import type { SourceFile } from './sources.ts';

/** A file that can cite: source, style, SQL or Markdown. */
type Text = Pick<SourceFile, 'file' | 'text'>;

/** A rule about documents and the comments that cite them. */
type DocRule = Omit<Rule, 'check'> & { readonly check: (text: Text) => readonly string[] };

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const exists = (file: string): boolean => existsSync(path.join(root, file));

/** This file, which contains broken samples. */
const ITSELF = 'test/architecture/docs.ts';

export function readTexts(): Text[] {
  const pattern =
    '{contract,server,stand-ins,dashboard,form,kiosk,embed,mail,fixtures,database,test,e2e,bench,scripts,docs}/**/*.{ts,tsx,mjs,css,sql,html,md}';
  return globSync([pattern, '*.{md,ts}'], { cwd: root })
    .filter((file) => file !== ITSELF)
    .sort()
    .map((file) => ({ file, text: read(file) }));
}

/** Matches a citation such as `docs/limits.md#api-body`. */
const CITATION = /\bdocs\/[\w/-]+\.md(?:#([\w-]+))?/g;
/** Matches `[words](target)` and `![words](target)`. */
const LINK = /\]\(([^)\s]+)\)/g;
const FENCED = /^```[\s\S]*?^```/gm;
/** Matches references that readers can't follow: sections, numbered requirements, internal papers. */
const FOREIGN =
  /§|\bR\d{1,2}\b|\bSPEC\b|\b(?:PRODUCT|ARCHITECTURE|STYLE)(?:\.md| \d)|\b(?:identity|billing|reliability|design)\.md\b|\bspecification\b/g;
/** Matches `[file](../file): ` followed by one or more quotes from that file. */
const QUOTED = /\]\((\.\.\/[^)#]+)\): ((?:`[^`]+`(?:, )?)+)/g;

const HEADING = /^#+ (.+)$/gm;
const NAMED = /<a id="([\w-]+)"><\/a>/g;

/** Returns the anchors of a document: its headings, as GitHub spells them, and its `<a id>` elements. */
function anchorsOf(text: string): string[] {
  const headings = matches(text.replace(FENCED, ''), HEADING).map((words) =>
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...headings, ...matches(text, NAMED)];
}

const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, first = '']) => first);
const isTarget = (file: string, anchor: string | undefined): boolean =>
  exists(file) && (anchor === undefined || anchorsOf(read(file)).includes(anchor));
/** Returns whether a text contains a quote as a whole word or number: 50 doesn't contain 5. */
const isQuotedIn = (text: string, quote: string): boolean =>
  text
    .split(quote)
    .slice(1)
    .some((rest) => !/^(?:\w|\.\d)/.test(rest));
const isMarkdown = (file: string): boolean => file.endsWith('.md');
/** Returns a link's target, relative to the repository root. */
const targetOf = (file: string, link: string): string => path.posix.join(path.posix.dirname(file), link);

/** The rules about documents and citations. */
export const DOC_RULES: readonly DocRule[] = [
  {
    name: 'a citation points to an existing anchor',
    // A released migration never changes, so its citations may be outdated.
    check: ({ file, text }) =>
      [...(file.endsWith('.sql') ? '' : text).matchAll(CITATION)]
        .filter(([citation, anchor]) => !isTarget(citation.split('#')[0] ?? '', anchor))
        .map(([citation]) => `cites ${citation}, which doesn’t exist`),
    broken: { file: 'server/platform/http/http.ts', text: '/** The most bytes of a call (docs/limits.md#api-bodies). */' },
  },
  {
    name: 'a link points to an existing file and anchor',
    check: ({ file, text }) =>
      matches(text.replace(FENCED, ''), LINK)
        .filter((link) => isMarkdown(file) && !/^[a-z]+:/.test(link))
        .filter((link) => {
          const [to = '', anchor] = link.split('#');
          return !isTarget(to === '' ? file : targetOf(file, to), anchor);
        })
        .map((link) => `links to ${link}, which doesn’t exist`),
    broken: { file: 'docs/rules.md', text: 'Its link lasts [seven days](limits.md#invitation-lives).' },
  },
  {
    name: 'nothing cites internal papers',
    check: ({ text }) =>
      [...text.matchAll(FOREIGN)].map(
        ([words]) => `says ${words}; cite docs/rules.md or docs/limits.md, or make the comment self-contained`,
      ),
    broken: { file: 'contract/core/time.ts', text: '/** How many days before today a filter begins (§9). */' },
  },
  {
    name: 'a document’s quotes match the code',
    check: ({ file, text }) =>
      [...(isMarkdown(file) ? text : '').matchAll(QUOTED)].flatMap(([, link = '', quotes = '']) => {
        const to = targetOf(file, link);
        return matches(quotes, /`([^`]+)`/g)
          .filter((quote) => !exists(to) || !isQuotedIn(read(to), quote))
          .map((quote) => `quotes ${quote}, which isn’t in ${to}`);
      }),
    broken: { file: 'docs/rules.md', text: '[contract/feedback/rating.ts](../contract/feedback/rating.ts): `URGENT_BELOW = 2`' },
  },
  {
    name: 'each rule and fact names its file',
    check: ({ file, text }) =>
      /^docs\/(?:rules|protocols)\.md$/.test(file)
        ? text
            .split(/^### /m)
            .slice(1)
            .filter((entry) => !entry.includes('](../'))
            .map((entry) => `names no file for ${entry.split('\n')[0]}`)
        : [],
    broken: { file: 'docs/rules.md', text: '### Trial\n\n20 days.' },
  },
  {
    name: 'an anchor is unique in its document',
    check: ({ file, text }) => {
      const anchors = isMarkdown(file) && file.startsWith('docs/') ? anchorsOf(text) : [];
      return anchors.filter((anchor, index) => anchors.indexOf(anchor) < index).map((anchor) => `has two anchors named ${anchor}`);
    },
    broken: { file: 'docs/rules.md', text: '### Trial\n\n### Trial' },
  },
];
