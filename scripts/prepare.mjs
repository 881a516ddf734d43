// Runs on Node 20 and later before anything is installed, so it is plain JavaScript without packages.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { showStep } from './progress.mjs';

export const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..');

/** The product's Node, which is one of its packages. */
export const node = path.join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

const STAMP = path.join(root, 'dist/built-from');
/** Sources of the build. */
const SOURCES = [
  'contract',
  'form',
  'kiosk',
  'embed',
  'dashboard',
  'fixtures',
  'mail',
  'docs/guides',
  'docs/images',
  'scripts/build',
  'package-lock.json',
  'tsconfig.base.json',
];

/** A release contains the build but not its sources. */
const isRelease = !existsSync(path.join(root, 'scripts/build/main.ts')) && existsSync(STAMP);

const INSTALL = [
  ...['ci', isRelease ? '--omit=dev' : '--include=dev'],
  ...['--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
];

const NO_NODE =
  'The package "node", which Afterword runs on, is incomplete: npm skipped its install script, because ignore-scripts is set. Run: npm rebuild node --ignore-scripts=false';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Installs missing packages and rebuilds a stale build. A release has nothing to build. */
export async function prepare({ forTests = false } = {}) {
  const stamp = isRelease ? '' : fingerprint();
  const isStale = !isRelease && (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== stamp);
  await install({ withDev: forTests || isStale });
  if (!isStale) return;
  await runStep('Building the pages', [node, 'scripts/build/main.ts']);
  writeFileSync(STAMP, stamp);
}

/** Installs missing packages. Exits with instructions if npm skipped the Node package's install script. */
export async function install({ withDev }) {
  if (!isInstalled({ withDev })) await runStep('Installing packages', npm(INSTALL));
  if (existsSync(node)) return;
  say(NO_NODE);
  process.exit(1);
}

export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** Runs a command and shows its progress. Exits if it fails. */
async function runStep(what, [command, ...args]) {
  const step = showStep(what);
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && command === 'npm',
  });
  for (const output of [child.stdout, child.stderr]) output.on('data', step.print);
  const end = (signal) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, end);
  const [status, signal] = await once(child, 'close').catch((error) => {
    step.print(`${command} could not be started: ${error.message}\n`);
    return [127];
  });
  for (const name of SIGNALS) process.off(name, end);
  step.end(status === 0 ? 'done' : 'failed');
  if (status !== 0) process.exit(status ?? (signal === 'SIGINT' ? 130 : 1));
}

/** Runs a command. Exits if it fails. */
export function run(command, args, options = {}) {
  const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
  if (error) say(`${command} could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? (signal ? 1 : 127));
}

function npm(args) {
  const cli = process.env.npm_execpath;
  return cli ? [process.execPath, cli, ...args] : ['npm', ...args];
}

/** Returns true if `node_modules` has each package of the lockfile in its version, according to npm's list. */
function isInstalled({ withDev }) {
  const installed = packagesOf('node_modules/.package-lock.json');
  if (!installed) return false;
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
