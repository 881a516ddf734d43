import { globSync } from 'node:fs';
import path from 'node:path';

/* What a release holds: what the product runs on, built, and what whoever runs it reads. */

export const root = path.resolve(import.meta.dirname, '..');

/** Folders, whole but for tests. */
const FOLDERS = ['contract', 'server', 'database', 'fixtures', 'dist', 'deploy', 'docs'];
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
