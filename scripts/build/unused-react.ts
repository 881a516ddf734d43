import type { Plugin, Rolldown } from 'vite';
import { UNUSED_FEATURES } from './react-features.ts';

/**
 * React's exports that the form's page uses, by file. React is CommonJS, of which a bundler keeps every export; removing the others
 * saves about 3 kB of the page's 75 (docs/limits.md#page-weight). Add a hook here when the form starts to use it.
 */
const USED = {
  'react/cjs/react.production.js': [
    'useEffect',
    'useLayoutEffect',
    'useRef',
    'useState',
    'version',
    '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
  ],
  'react-dom/cjs/react-dom.production.js': ['__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'],
  'react-dom/cjs/react-dom-client.production.js': ['hydrateRoot'],
} satisfies Readonly<Record<string, readonly string[]>>;

/** The methods of fragment refs, which the form doesn't use: another 2 kB. */
const UNUSED_PROTOTYPE = 'FragmentInstance';
/** The file of the functions in UNUSED_FEATURES. */
const CLIENT = 'react-dom/cjs/react-dom-client.production.js';

type Statement = ReturnType<Rolldown.PluginContext['parse']>['body'][number];

/** A part of a file that is replaced: `start` and `end` are offsets in its code. */
interface Cut {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Removes the exports and features of React that the form doesn't use, and with them the code that only they need. */
export function removeUnusedReact(): Plugin {
  return {
    name: 'unused-react',
    transform(code, id) {
      const [file, used] = Object.entries(USED).find(([name]) => id.endsWith(`/node_modules/${name}`)) ?? [];
      if (!used && !/\.tsx?$/.test(id)) return undefined;
      const { body } = this.parse(code);
      if (!used) {
        const unlisted = body.flatMap(importsOf).filter((name) => !USED['react/cjs/react.production.js'].includes(name));
        if (unlisted.length > 0) this.error(`Add ${unlisted.join(', ')} to scripts/build/unused-react.ts, because the form now uses it`);
        return undefined;
      }
      const unusedFunctions = file === CLIENT ? Object.values(UNUSED_FEATURES).flat() : [];
      const exported = body.flatMap(exportOf);
      const functions = body.flatMap(bodyOfFunction);
      const missing = [
        ...used.filter((name) => !exported.some((statement) => statement.name === name)),
        ...unusedFunctions.filter((name) => !functions.some((each) => each.name === name)),
      ];
      if (missing.length > 0) this.error(`React no longer has ${missing.join(', ')} in ${id}; see scripts/build/unused-react.ts`);
      return {
        code: withCuts(code, [
          ...exported.filter(({ name }) => !used.includes(name)),
          ...functions.filter(({ name }) => unusedFunctions.includes(name)),
          ...body.filter((statement) => isMethodOf(statement, UNUSED_PROTOTYPE)).map(({ start, end }) => ({ start, end, replacement: '' })),
        ]),
        map: null,
      };
    },
  };
}

function withCuts(code: string, cuts: readonly Cut[]): string {
  return [...cuts]
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end), code);
}

/** Returns what a file imports from React. */
function importsOf(statement: Statement): string[] {
  if (statement.type !== 'ImportDeclaration' || statement.source.value !== 'react') return [];
  return statement.specifiers.flatMap((each) =>
    each.type === 'ImportSpecifier' && each.imported.type === 'Identifier' ? [each.imported.name] : [],
  );
}

/** Returns the body of a function at the top of a file. */
function bodyOfFunction(statement: Statement): (Cut & { readonly name: string })[] {
  if (statement.type !== 'FunctionDeclaration' || !statement.id || !statement.body) return [];
  const { start, end } = statement.body;
  return [{ name: statement.id.name, start, end, replacement: '{}' }];
}

/** Matches a statement `exports.name = …`. */
function exportOf(statement: Statement): (Cut & { readonly name: string })[] {
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression') return [];
  const { left } = statement.expression;
  if (left.type !== 'MemberExpression' || left.object.type !== 'Identifier' || left.object.name !== 'exports') return [];
  const { start, end } = statement;
  return left.property.type === 'Identifier' ? [{ name: left.property.name, start, end, replacement: '' }] : [];
}

/** Matches a statement `Name.prototype.method = …`. */
function isMethodOf(statement: Statement, name: string): boolean {
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression') return false;
  const { left } = statement.expression;
  if (left.type !== 'MemberExpression' || left.object.type !== 'MemberExpression') return false;
  const { object, property } = left.object;
  return object.type === 'Identifier' && object.name === name && property.type === 'Identifier' && property.name === 'prototype';
}
