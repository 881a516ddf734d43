import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Rule } from './rules.ts';
import type { SourceFile } from './sources.ts';

/** A file that can cite: source, style, SQL or Markdown. */
type Text = Pick<SourceFile, 'file' | 'text'>;

/** A wall between the code and what is written about it. */
type DocRule = Omit<Rule, 'check'> & { readonly check: (text: Text) => readonly string[] };

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const exists = (file: string): boolean => existsSync(path.join(root, file));

/** This file, whose samples are broken. */
const ITSELF = 'test/architecture/docs.ts';

export function readTexts(): Text[] {
  const ours =
    '{contract,server,stand-ins,dashboard,form,mail,fixtures,database,test,e2e,bench,scripts,docs}/**/*.{ts,tsx,mjs,css,sql,html,md}';
  return globSync([ours, '*.{md,ts}'], { cwd: root })
    .filter((file) => file !== ITSELF)
    .sort()
    .map((file) => ({ file, text: read(file) }));
}

/** `docs/limits.md#api-body`, as comments cite. */
const CITATION = /\bdocs\/[\w/-]+\.md(?:#([\w-]+))?/g;
/** `[words](target)` and `![words](target)`. */
const LINK = /\]\(([^)\s]+)\)/g;
const FENCED = /^```[\s\S]*?^```/gm;
/** What only those who built this have: sections, numbered requirements, papers of theirs. */
const FOREIGN =
  /§|\bR\d{1,2}\b|\bSPEC\b|\b(?:PRODUCT|ARCHITECTURE|STYLE)(?:\.md| \d)|\b(?:identity|billing|reliability|design)\.md\b|\bspecification\b/g;
/** `[file](../file): ` and then the text that stands in it, once or more. */
const QUOTED = /\]\((\.\.\/[^)#]+)\): ((?:`[^`]+`(?:, )?)+)/g;

const HEADING = /^#+ (.+)$/gm;
const NAMED = /<a id="([\w-]+)"><\/a>/g;

/** What links into a document can end with: its headings, as GitHub spells them, and its named places. */
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
const leads = (file: string, anchor: string | undefined): boolean =>
  exists(file) && (anchor === undefined || anchorsOf(read(file)).includes(anchor));
/** Not as the beginning of a longer word or number: 5 does not stand in 50. */
const holds = (text: string, quote: string): boolean =>
  text
    .split(quote)
    .slice(1)
    .some((rest) => !/^(?:\w|\.\d)/.test(rest));
const isMarkdown = (file: string): boolean => file.endsWith('.md');
/** From the top of the repository. */
const targetOf = (file: string, link: string): string => path.posix.join(path.posix.dirname(file), link);

/** The entries of a list of rules or limits: what stands below a heading of the third level, or in a named row. */
const entriesOf = (text: string): string[] => [
  ...text.split(/^### /m).slice(1),
  ...text.split('\n').filter((line) => /^\| <a id/.test(line)),
];

/** The walls between the code and what is written about it. */
export const DOC_RULES: readonly DocRule[] = [
  {
    name: 'a citation leads to a place in the documents',
    // A released migration never changes, so its citations age.
    check: ({ file, text }) =>
      [...(file.endsWith('.sql') ? '' : text).matchAll(CITATION)]
        .filter(([citation, anchor]) => !leads(citation.split('#')[0] ?? '', anchor))
        .map(([citation]) => `cites ${citation}, which is not there`),
    broken: { file: 'server/platform/http/http.ts', text: '/** What a call may weigh (docs/limits.md#api-bodies). */' },
  },
  {
    name: 'a link leads to a file, and to a place in it',
    check: ({ file, text }) =>
      matches(text.replace(FENCED, ''), LINK)
        .filter((link) => isMarkdown(file) && !/^[a-z]+:/.test(link))
        .filter((link) => {
          const [to = '', anchor] = link.split('#');
          return !leads(to === '' ? file : targetOf(file, to), anchor);
        })
        .map((link) => `links to ${link}, which is not there`),
    broken: { file: 'docs/rules.md', text: 'Its link lasts [seven days](limits.md#invitation-lives).' },
  },
  {
    name: 'nothing cites what a reader does not have',
    check: ({ text }) =>
      [...text.matchAll(FOREIGN)].map(
        ([words]) => `says ${words}; cite docs/rules.md or docs/limits.md, or let the comment stand by itself`,
      ),
    broken: { file: 'contract/core/time.ts', text: '/** How many days before today a filter begins (§9). */' },
  },
  {
    name: 'what a document quotes stands in the code',
    check: ({ file, text }) =>
      [...(isMarkdown(file) ? text : '').matchAll(QUOTED)].flatMap(([, link = '', quotes = '']) => {
        const to = targetOf(file, link);
        return matches(quotes, /`([^`]+)`/g)
          .filter((quote) => !exists(to) || !holds(read(to), quote))
          .map((quote) => `quotes ${quote}, which does not stand in ${to}`);
      }),
    broken: { file: 'docs/limits.md', text: '[server/platform/http/http.ts](../server/platform/http/http.ts): `apiBody: 256 * 102`' },
  },
  {
    name: 'each rule, limit and fact says where it counts',
    check: ({ file, text }) =>
      /^docs\/(?:rules|limits|protocols)\.md$/.test(file)
        ? entriesOf(text)
            .filter((entry) => !entry.includes('](../'))
            .map((entry) => `names no file for ${entry.split('\n')[0]}`)
        : [],
    broken: { file: 'docs/rules.md', text: '### Trial\n\n20 days.' },
  },
  {
    name: 'a place in a document has a name of its own',
    check: ({ file, text }) => {
      const anchors = isMarkdown(file) && file.startsWith('docs/') ? anchorsOf(text) : [];
      return anchors.filter((anchor, index) => anchors.indexOf(anchor) < index).map((anchor) => `has two places named ${anchor}`);
    },
    broken: { file: 'docs/rules.md', text: '### Trial\n\n### Trial' },
  },
];
