import type { SourceFile } from './sources.ts';

/** Returns each import cycle once, type imports included, as the path of its files. */
export function importCycles(sources: readonly SourceFile[]): string[][] {
  const imports = new Map(sources.map(({ file, imports }) => [file, imports.map(({ to }) => to)]));
  const done = new Set<string>();
  const cycles: string[][] = [];
  for (const file of imports.keys()) walk(file, []);
  return cycles;

  function walk(file: string, path: readonly string[]): void {
    const from = path.indexOf(file);
    if (from >= 0) cycles.push(path.slice(from));
    if (from >= 0 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) walk(next, [...path, file]);
    done.add(file);
  }
}
