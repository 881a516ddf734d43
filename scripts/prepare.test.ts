import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

it('a build is stale when any of its sources changes', () => {
  const [, list = ''] = /const SOURCES = \[(.*?)\];/s.exec(read('scripts/prepare.mjs')) ?? [];
  const sources = [...list.matchAll(/'([^']+)'/g)].flatMap(([, source]) => source ?? []);
  expect(sources.filter((source) => !existsSync(path.join(root, source)))).toEqual([]);
  const folders = [...read('scripts/build/bundles.ts').matchAll(/'(\w+)\/[\w-]+\.tsx?'/g)].map(([, folder]) => folder);
  expect([...folders, 'scripts/build'].filter((source) => !sources.includes(source ?? ''))).toEqual([]);
});
