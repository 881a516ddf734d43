// Finds a Chromium for the browser tests, or installs one where possible.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { run, say } from './prepare.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];
const PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** Returns the path of a Chromium. Exits with instructions if there is none. */
export function findChromium() {
  const program = findInstalled() ?? (mayInstall() ? install() : undefined);
  if (program) return program;
  say('The browser tests need a Chromium: install it (Debian, Ubuntu: apt-get install chromium) or set CHROMIUM to the path of a Chrome.');
  process.exit(1);
}

function findInstalled() {
  const configured = process.env.CHROMIUM;
  if (configured) return configured;
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return [...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))), ...PATHS].find(isProgram);
}

/** Returns true on Debian as root, or with sudo without a password. */
function mayInstall() {
  return existsSync('/usr/bin/apt-get') && (process.getuid?.() === 0 || spawnSync('sudo', ['-n', 'true']).status === 0);
}

function install() {
  say('Installing Chromium for the browser tests…');
  const root = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const apt = (...args) => {
    const [command, ...rest] = [...root, 'apt-get', '-qq', ...args];
    run(command, rest, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  };
  apt('update');
  apt('install', '-y', '--no-install-recommends', 'chromium');
  return findInstalled();
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
