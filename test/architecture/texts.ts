import { parseAst } from 'vite';
import type { PluralText } from '#contract/language/words.ts';
import type { SourceFile } from './sources.ts';

/* Reads the texts that the dashboard and mails translate (docs/decisions/0013-languages.md) from the sources. */

/** A text in English: two forms if it has a count. */
type EnglishText = string | PluralText;

interface Texts {
  /** The texts by the key of their translation. */
  readonly texts: ReadonlyMap<string, EnglishText>;
  /** Calls that can't be translated, with their file. */
  readonly mistakes: readonly string[];
}

type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

export function readTexts(sources: readonly SourceFile[]): Texts {
  const texts = new Map<string, EnglishText>();
  const mistakes: string[] = [];
  for (const { file, text } of sources) {
    if (!/\bt(?:\.\w+)?\(|\btranslatable\(/.test(text)) continue;
    visit(parse(file, text), false, (call, isInFunction) => {
      const name = nameOf(call['callee'] as Node);
      const [first, second, third] = (call['arguments'] as Node[]).map(literals);
      if (!isInFunction && name !== 'translatable') mistakes.push(`${file} calls ${name} before the language is known; use translatable`);
      if (first?.includes(undefined)) mistakes.push(`${file} puts values into a text of ${name}; name them in braces`);
      if (name === 't.count') {
        const [one, other] = [second?.[0], third?.[0]];
        if (one !== undefined && other !== undefined) texts.set(other, { one, other });
        else mistakes.push(`${file} calls t.count without two literal texts`);
      } else {
        const context = name === 't.in' ? `${first?.[0]}: ` : '';
        for (const each of (name === 't.in' ? second : first) ?? []) if (each !== undefined) texts.set(context + each, each);
      }
    });
  }
  return { texts, mistakes };
}

/** Returns every literal text of these files, with {1}, {2} in place of numbers and inserted values, as the server's messages are named. */
export function readMessages(sources: readonly SourceFile[]): Set<string> {
  const messages = new Set<string>();
  for (const { file, text } of sources) visitAll(parse(file, text), (node) => addMessage(messages, node));
  return messages;
}

function addMessage(messages: Set<string>, node: Node): void {
  const text = node.type === 'TemplateLiteral' ? quasisOf(node).join('0') : node.type === 'Literal' ? node['value'] : undefined;
  if (typeof text !== 'string') return;
  let place = 0;
  messages.add(text.replace(/\d+(?:,\d{3})*/g, () => `{${++place}}`));
}

const parse = (file: string, text: string): Node => parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node;

/** Returns `t`, `t.count`, `t.in` or `translatable`; undefined for other callees. */
function nameOf(callee: Node): string | undefined {
  if (callee.type === 'Identifier') return callee['name'] === 't' || callee['name'] === 'translatable' ? callee['name'] : undefined;
  const [object, property] = [callee['object'] as Node | undefined, callee['property'] as Node | undefined];
  const method = object?.['name'] === 't' ? property?.['name'] : undefined;
  return method === 'count' || method === 'in' ? `t.${method}` : undefined;
}

/** Returns the literal texts that an expression may have, or the values of a table; undefined for a template with values in it. */
function literals(node: Node): (string | undefined)[] {
  const inside = (...names: string[]) => names.flatMap((name) => literals(node[name] as Node));
  switch (node.type) {
    case 'Literal':
      return typeof node['value'] === 'string' ? [node['value']] : [];
    case 'TemplateLiteral':
      return [(node['expressions'] as Node[]).length === 0 ? quasisOf(node).join('') : undefined];
    case 'ConditionalExpression':
      return inside('consequent', 'alternate');
    case 'LogicalExpression':
      return inside('left', 'right');
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return inside('expression');
    case 'ObjectExpression':
      return (node['properties'] as Node[]).flatMap((property) => literals((property['value'] ?? property['argument']) as Node));
    case 'ArrayExpression':
      return (node['elements'] as Node[]).flatMap(literals);
    default:
      return [];
  }
}

const quasisOf = (template: Node): string[] =>
  (template['quasis'] as { readonly value: { readonly cooked: string } }[]).map(({ value }) => value.cooked);

function visit(node: Node, isInFunction: boolean, onCall: (call: Node, isInFunction: boolean) => void): void {
  if (node.type === 'CallExpression' && nameOf(node['callee'] as Node) !== undefined) onCall(node, isInFunction);
  const isWithin = isInFunction || /Function/.test(node.type);
  for (const child of childrenOf(node)) visit(child, isWithin, onCall);
}

function visitAll(node: Node, onNode: (node: Node) => void): void {
  onNode(node);
  for (const child of childrenOf(node)) visitAll(child, onNode);
}

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value);
