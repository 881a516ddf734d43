import { globSync } from 'node:fs';
import path from 'node:path';

/* What a release holds: what the product runs on, built, and what whoever runs it reads. */

export const root = path.resolve(import.meta.dirname, '..');

/** Folders, whole but for tests. */
const FOLDERS = ['contract', 'server', 'stand-ins', 'database', 'fixtures', 'dist', 'deploy', 'docs'];
const FILES = [
  'package.json',
  'package-lock.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'SECURITY.md',
  // `npm start`, and what is done to its data.
  ...[
    'start.mjs',
    'prepare.mjs',
    'process.mjs',
    'progress.mjs',
    'foreground.mjs',
    'backup.ts',
    'backups.ts',
    'restore.ts',
    'db-reset.ts',
    'admin.ts',
    'paddle-catalog.ts',
  ].map((name) => `scripts/${name}`),
];

/** From the top of the repository, sorted. */
export const releasedFiles = (): string[] =>
  [...FILES, ...globSync(`{${FOLDERS.join(',')}}/**/*`, { cwd: root, withFileTypes: true }).flatMap((entry) => placeOf(entry))].sort();

function placeOf(entry: { readonly name: string; readonly parentPath: string; isFile(): boolean }): string[] {
  const place = path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/');
  return entry.isFile() && !/\.test\.tsx?$/.test(place) ? [place] : [];
}

interface Lock {
  readonly packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Returns `package.json` and its lock for a machine that only runs the product: without what builds and tests it. The packages' own
 * `engines` go too: they run on the Node that comes with them, whichever one installs them.
 */
export function releasedManifests(manifest: Readonly<Record<string, unknown>>, lock: Lock): Readonly<Record<string, string>> {
  const packages = Object.entries(lock.packages)
    .filter(([, { dev, devOptional }]) => !dev && !devOptional)
    .map(([place, { devDependencies: _tools, engines, ...entry }]) => [place, place === '' ? { ...entry, engines } : entry]);
  const { devDependencies: _tools, ...rest } = manifest;
  const files = { 'package.json': rest, 'package-lock.json': { ...lock, packages: Object.fromEntries(packages) } };
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [name, `${JSON.stringify(content, undefined, 2)}\n`]));
}
