import { globSync } from 'node:fs';
import path from 'node:path';

/* The content of a release: the built product and what its operator reads. */

export const root = path.resolve(import.meta.dirname, '../..');

/** Folders, without tests. */
const FOLDERS = ['contract', 'server', 'stand-ins', 'database', 'fixtures', 'dist', 'deploy', 'docs'];
const FILES = [
  'package.json',
  'package-lock.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'SECURITY.md',
  // `npm start` and the commands on its data.
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

/** Returns paths relative to the repository, sorted. */
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
 * Returns `package.json` and its lock for a machine that only runs the product: without build and test tools, and without the packages'
 * `engines`, because they run on the bundled Node, whichever one installs them.
 */
export function releasedManifests(manifest: Readonly<Record<string, unknown>>, lock: Lock): Readonly<Record<string, string>> {
  const packages = Object.entries(lock.packages)
    .filter(([, { dev, devOptional }]) => !dev && !devOptional)
    .map(([place, { devDependencies: _tools, engines, ...entry }]) => [place, place === '' ? { ...entry, engines } : entry]);
  const { devDependencies: _tools, ...rest } = manifest;
  const files = { 'package.json': rest, 'package-lock.json': { ...lock, packages: Object.fromEntries(packages) } };
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [name, `${JSON.stringify(content, undefined, 2)}\n`]));
}
