// `npm test`: installs, builds, finds a browser, and runs every test. The last line counts what passed and failed.
// A test that fails is tried again at once, and a file that still fails runs once more by itself, because a journey through a real
// browser on a busy machine can fail for the machine's sake. What passes only then is named: it is a defect to find.
// With arguments, which name tests, nothing is tried again.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { findChromium } from './chromium.mjs';
import { node, prepare, root, say } from './prepare.mjs';

/** More failing files than this aren't a busy machine's fault. */
const MOST_AGAIN = 8;

const args = process.argv.slice(2);
await prepare({ forTests: true });
const chromium = findChromium();
const folder = mkdtempSync(path.join(tmpdir(), 'afterword-results-'));
const outcome = args.length > 0 ? run(args) : runAgain(run(['--retry=1']));
rmSync(folder, { recursive: true, force: true });
const passed = total(outcome, 'passed');
const failed = total(outcome, 'failed');
say('');
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

/**
 * Runs tests, and says how each file of them ended.
 * @param {string[]} given what Vitest is told beside: names of files, options
 * @returns {import('./outcome-reporter.ts').FileOutcome[]}
 */
function run(given) {
  const written = path.join(folder, 'outcome.json');
  rmSync(written, { force: true });
  // Servers are started many times, and read once.
  const env = { ...process.env, CHROMIUM: chromium, NODE_COMPILE_CACHE: path.join(folder, 'compiled'), OUTCOME: written };
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=./scripts/outcome-reporter.ts', ...given];
  const { status } = spawnSync(node, vitest, { cwd: root, stdio: 'inherit', env });
  const { files, errors } = read(written);
  // An error outside any test fails the run, too.
  const isWhole = errors === 0 && (status === 0 || total(files, 'failed') > 0);
  return isWhole ? files : [...files, { name: '', passed: 0, failed: 1 }];
}

/** The same with the files that failed as they end when they run once more. */
function runAgain(files) {
  const failing = files.filter(({ failed }) => failed > 0).map(({ name }) => name);
  // What failed outside any file cannot be told to run.
  if (failing.length === 0 || failing.length > MOST_AGAIN || failing.includes('')) return files;
  say(`\nOnce more, by themselves: ${failing.join(', ')}`);
  const second = run(failing);
  for (const { name, failed } of second) if (failed === 0) process.stdout.write(`Passed when run once more only: ${name}\n`);
  return [...files.filter(({ failed }) => failed === 0), ...second];
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { files: [], errors: 1 };
  }
}

function total(files, what) {
  return files.reduce((sum, file) => sum + file[what], 0);
}
