// Runs on any Node from 20 on, before anything is installed: plain JavaScript without packages.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

export const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..');

/** The Node that the product runs on; it comes with the packages. */
export const node = path.join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

const STAMP = path.join(root, 'dist/built-from');
/** What the build reads. */
const SOURCES = [
  'contract',
  'form',
  'dashboard',
  'fixtures',
  'mail',
  'docs/guides',
  'scripts/build.ts',
  'scripts/first-load.ts',
  'scripts/guides.ts',
  'scripts/used-of-react.ts',
  'package-lock.json',
  'tsconfig.base.json',
];

/** A release carries what was built, and not what it was built from. */
const isRelease = !existsSync(path.join(root, 'scripts/build.ts')) && existsSync(STAMP);

/** Installs what is missing and builds what is stale. In a release there is nothing to build, nor the tools for it. */
export function prepare({ forTests = false } = {}) {
  const stamp = isRelease ? '' : fingerprint();
  const isStale = !isRelease && (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== stamp);
  if (!isInstalled({ withDev: forTests || isStale })) {
    say('Installing packages…');
    npm(['ci', isRelease ? '--omit=dev' : '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']);
  }
  if (isStale) {
    say('Building the pages…');
    run(node, ['scripts/build.ts']);
    writeFileSync(STAMP, stamp);
  }
}

export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** Ends this process when the command fails. */
export function run(command, args, options = {}) {
  const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
  if (error) say(`${command} could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? (signal ? 1 : 127));
}

function npm(args) {
  const cli = process.env.npm_execpath;
  if (cli) run(process.execPath, [cli, ...args]);
  else run('npm', args, { shell: process.platform === 'win32' });
}

/** Whether each package of the lockfile stands in `node_modules` in its version; npm keeps that list itself. */
function isInstalled({ withDev }) {
  const installed = packagesOf('node_modules/.package-lock.json');
  if (!installed || !existsSync(node)) return false;
  return Object.entries(packagesOf('package-lock.json') ?? {}).every(
    ([place, { version, dev, devOptional, optional }]) =>
      place === '' || optional || devOptional || (dev && !withDev) || installed[place]?.version === version,
  );
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((source) => filesBelow(path.join(root, source)))) {
    hash.update(path.relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function filesBelow(place) {
  if (!existsSync(place)) return [];
  try {
    return readdirSync(place)
      .sort()
      .flatMap((name) => filesBelow(path.join(place, name)));
  } catch (error) {
    if (error.code === 'ENOTDIR') return [place];
    throw error;
  }
}
