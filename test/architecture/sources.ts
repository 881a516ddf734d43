import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A source file of this repository, with its imports. */
export interface SourceFile {
  /** The path from the repository root, such as `server/form/store.ts`. */
  readonly file: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

export interface Import {
  /** The specifier as written. */
  readonly from: string;
  /** The target: a path from the repository root, or a package name. */
  readonly to: string;
  readonly isType: boolean;
}

const root = path.resolve(import.meta.dirname, '../..');
const ALIAS = /^#(contract|fixtures|database|server|dashboard|form|stand-ins)\//;
/** Matches `import … from 'x'`, `export … from 'x'`, `import 'x'` and `import('x')`. */
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[\w$*{},\s]+?\s+from\s+)?'([^'\n]+)'|\bimport\(\s*(?:\/\*.*?\*\/\s*)?'([^'\n]+)'\s*\)/g;

export function readSources(): SourceFile[] {
  const files = globSync(
    ['{contract,server,stand-ins,dashboard,form,kiosk,embed,mail,fixtures,database,test,e2e,bench,scripts}/**/*.{ts,tsx,mjs}'],
    {
      cwd: root,
    },
  );
  return files.sort().map((file) => toSource(file, readFileSync(path.join(root, file), 'utf8')));
}

export function toSource(file: string, text: string): SourceFile {
  const imports = [...text.matchAll(IMPORT)].map(([, type, specifier, dynamic]): Import => {
    const from = specifier ?? dynamic ?? '';
    return { from, to: targetOf(file, from), isType: type !== undefined };
  });
  return { file, text, imports };
}

function targetOf(file: string, from: string): string {
  if (from.startsWith('.')) return path.posix.join(path.posix.dirname(file), from);
  if (ALIAS.test(from)) return from.slice(1);
  if (from.startsWith('node:')) return from;
  const [scope = '', name = ''] = from.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

export const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);
