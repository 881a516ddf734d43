import path from 'node:path';
import type { SourceFile } from './sources.ts';

/* docs/limits.md, collected from the comments with `@limit <name>`. */

/** A comment and the code below it. */
interface TaggedCode {
  readonly name: string;
  readonly file: string;
  readonly about: string;
  readonly quotes: readonly string[];
}

const INTRODUCTION = `# Limits

The numbers that protect the product: times, sizes, counts and lifetimes. \`npm test -- --project rules --update\` collects them from the comments with \`@limit\`. Comments cite a limit by its anchor, \`docs/limits.md#api-body\`. What the product does is in [rules.md](rules.md).

| limit | about | code | file |
|---|---|---|---|
`;

/** A JSDoc comment, or lines that start with `//`. */
const COMMENT = /^[ \t]*(?:\/\*\*[\s\S]*?\*\/|\/\/.*(?:\n[ \t]*\/\/.*)*)/gm;
const TAG = /@limit ([\w-]+)/;
/** A declaration or a property with a number, which belongs to the comment above the previous one. */
const ANOTHER = /^(?:(?:export )?const )?\w+(?: = |: )(?:\(?\d|v\.|\{ name|(?:DAY|HOUR|MINUTE|SECOND)\b)/;

/** Returns the text of docs/limits.md. */
export function limitsDocument(texts: readonly Pick<SourceFile, 'file' | 'text'>[]): string {
  const tagged = texts.flatMap(({ file, text }) => (/\.tsx?$/.test(file) ? taggedCode(file, text) : []));
  const limits = Map.groupBy(
    tagged.toSorted((a, b) => subjectOf(a.file).localeCompare(subjectOf(b.file))),
    ({ name }) => name,
  );
  return INTRODUCTION + [...limits.values()].flatMap((parts) => parts.map(rowOf)).join('');
}

/** A module's contract and its server come together: `contract/form/form.ts`, `server/form/store.ts`. */
const subjectOf = (file: string): string => file.replace(/^(?:contract|server\/platform|server)\//, '');

function taggedCode(file: string, text: string): TaggedCode[] {
  return [...text.matchAll(COMMENT)].flatMap((comment) => {
    const name = TAG.exec(comment[0])?.[1];
    if (name === undefined) return [];
    const about = comment[0].replaceAll(/\/\*\*|\*\/|^\s*(?:\*|\/\/)/gm, '').replace(TAG, '');
    const code = text.slice(comment.index + comment[0].length + 1);
    return [{ name, file, about: about.replaceAll(/\s+/g, ' ').trim(), quotes: quotesOf(code) }];
  });
}

/** Returns the declaration or property below a comment, and those that follow it without a comment of their own. */
function quotesOf(code: string): string[] {
  const quotes: string[] = [];
  const indent = indentOf(code);
  for (const line of code.split('\n')) {
    const text = line.trim();
    const isWithin = indentOf(line) > indent || (quotes.length > 0 && /^[\])}]/.test(text) && indentOf(line) === indent);
    if (isWithin && !/^[/*]/.test(text)) quotes.push(`${quotes.pop()} ${text}`);
    if (isWithin) continue;
    if (quotes.length > 0 && (indentOf(line) < indent || !ANOTHER.test(text))) break;
    quotes.push(text);
  }
  return quotes.map(shortened);
}

const indentOf = (line: string): number => line.search(/\S|$/);

/** Leaves the name and the value of a declaration. */
const shortened = (code: string): string =>
  code.replace(/^(?:export )?const (.+?)(?:: [^=]+?)?(?= = )/, '$1').replace(/(?: as const)?[,;]$/, '');

const rowOf = ({ name, file, about, quotes }: TaggedCode, index: number): string =>
  `| ${index === 0 ? `<a id="${name}"></a>${name}` : ''} | ${linked(about)} | ${quotes.map((quote) => `\`${quote}\``).join('<br>')} | [${path.basename(file)}](../${file}) |\n`;

/** Turns citations into links. */
const linked = (text: string): string =>
  text.replaceAll(/docs\/([\w/-]+\.md)#([\w-]+)/g, (_, document, anchor) => `[${anchor}](${document}#${anchor})`);
