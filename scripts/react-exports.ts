import type { Plugin, Rolldown } from 'vite';

/**
 * React's exports that the form's page uses, by file. React is CommonJS, of which a bundler keeps every export; removing the others
 * saves about 3 kB of the page's 75 (docs/limits.md#page-weight). Add a hook here when the form starts to use it.
 */
const USED: Readonly<Record<string, readonly string[]>> = {
  'react/cjs/react.production.js': [
    'useEffect',
    'useRef',
    'useState',
    'version',
    '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
  ],
  'react-dom/cjs/react-dom.production.js': ['__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'],
  'react-dom/cjs/react-dom-client.production.js': ['hydrateRoot'],
};

/** The methods of fragment refs, which the form doesn't use: another 2 kB. */
const UNUSED_PROTOTYPE = 'FragmentInstance';

type Statement = ReturnType<Rolldown.PluginContext['parse']>['body'][number];

/** Removes the exports of React that the form doesn't use, and with them the code that only they need. */
export function removeUnusedReactExports(): Plugin {
  return {
    name: 'react-exports',
    transform(code, id) {
      const used = Object.entries(USED).find(([file]) => id.endsWith(`/node_modules/${file}`))?.[1];
      if (!used) return undefined;
      const exported = this.parse(code).body.flatMap(exportOf);
      const missing = used.filter((name) => !exported.some((statement) => statement.name === name));
      if (missing.length > 0) this.error(`React no longer exports ${missing.join(', ')} in ${id}; see scripts/react-exports.ts`);
      const unused = [
        ...exported.filter(({ name }) => !used.includes(name)),
        ...this.parse(code).body.filter((statement) => isMethodOf(statement, UNUSED_PROTOTYPE)),
      ].sort((a, b) => a.start - b.start);
      const remaining = unused.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), code);
      return { code: remaining, map: null };
    },
  };
}

/** Matches a statement `exports.name = …`. */
function exportOf(statement: Statement): { name: string; start: number; end: number }[] {
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression') return [];
  const { left } = statement.expression;
  if (left.type !== 'MemberExpression' || left.object.type !== 'Identifier' || left.object.name !== 'exports') return [];
  const { start, end } = statement;
  return left.property.type === 'Identifier' ? [{ name: left.property.name, start, end }] : [];
}

/** Matches a statement `Name.prototype.method = …`. */
function isMethodOf(statement: Statement, name: string): boolean {
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression') return false;
  const { left } = statement.expression;
  if (left.type !== 'MemberExpression' || left.object.type !== 'MemberExpression') return false;
  const { object, property } = left.object;
  return object.type === 'Identifier' && object.name === name && property.type === 'Identifier' && property.name === 'prototype';
}
