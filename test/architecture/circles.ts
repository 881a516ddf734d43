import type { SourceFile } from './sources.ts';

/** Files that import each other in a circle, for types too: each circle once, as the way around. */
export function circlesIn(sources: readonly SourceFile[]): string[][] {
  const imports = new Map(sources.map(({ file, imports }) => [file, imports.map(({ to }) => to)]));
  const done = new Set<string>();
  const circles: string[][] = [];
  for (const file of imports.keys()) walk(file, []);
  return circles;

  function walk(file: string, way: readonly string[]): void {
    const from = way.indexOf(file);
    if (from >= 0) circles.push(way.slice(from));
    if (from >= 0 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) walk(next, [...way, file]);
    done.add(file);
  }
}
