// `npm test`: installs, builds, finds a browser, and runs every test. The last line counts passed and failed tests.
// A failed test is retried immediately, and a file that still fails runs once more alone, because a browser journey can fail on a busy
// machine. Tests that pass only then are listed, because they are bugs. With arguments, which select tests, nothing is retried.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { findChromium } from './chromium.mjs';
import { node, prepare, root, say } from './prepare.mjs';

/** If more files than this fail, a busy machine isn't the reason. */
const MOST_RERUN = 8;

const args = process.argv.slice(2);
await prepare({ forTests: true });
const chromium = findChromium();
const folder = mkdtempSync(path.join(tmpdir(), 'afterword-results-'));
const outcome = args.length > 0 ? run(args) : rerunFailed(run(['--retry=1']));
rmSync(folder, { recursive: true, force: true });
const passed = total(outcome, 'passed');
const failed = total(outcome, 'failed');
say('');
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

/**
 * Runs tests and returns the results of each file.
 * @param {string[]} options Vitest's further arguments: names of files, options
 * @returns {import('./outcome-reporter.ts').FileOutcome[]}
 */
function run(options) {
  const outcomeFile = path.join(folder, 'outcome.json');
  rmSync(outcomeFile, { force: true });
  // Servers start many times, so their compiled code is cached.
  const env = { ...process.env, CHROMIUM: chromium, NODE_COMPILE_CACHE: path.join(folder, 'compiled'), OUTCOME: outcomeFile };
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=./scripts/outcome-reporter.ts', ...options];
  const { status } = spawnSync(node, vitest, { cwd: root, stdio: 'inherit', env });
  const { files, errors } = read(outcomeFile);
  // An error outside any test also fails the run.
  const isComplete = errors === 0 && (status === 0 || total(files, 'failed') > 0);
  return isComplete ? files : [...files, { name: '', passed: 0, failed: 1 }];
}

/** Runs failed files once more, and returns the results with theirs replaced. */
function rerunFailed(files) {
  const failing = files.filter(({ failed }) => failed > 0).map(({ name }) => name);
  // A failure outside any file can't be rerun.
  if (failing.length === 0 || failing.length > MOST_RERUN || failing.includes('')) return files;
  say(`\nRunning failed files again: ${failing.join(', ')}`);
  const second = run(failing);
  for (const { name, failed } of second) if (failed === 0) process.stdout.write(`Passed only when run again: ${name}\n`);
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
