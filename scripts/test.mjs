// `npm test`: installs, builds, finds a browser, and runs every test. The last line says how many passed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { findChromium } from './chromium.mjs';
import { node, prepare, root, say } from './prepare.mjs';

await prepare({ forTests: true });
const chromium = findChromium();
const folder = mkdtempSync(path.join(tmpdir(), 'afterword-results-'));
const results = path.join(folder, 'results.json');
const { status } = spawnSync(
  node,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    '--reporter=./scripts/flaky-reporter.ts',
    `--outputFile.json=${results}`,
    ...process.argv.slice(2),
  ],
  // Servers are started many times, and read once.
  { cwd: root, stdio: 'inherit', env: { ...process.env, CHROMIUM: chromium, NODE_COMPILE_CACHE: path.join(folder, 'compiled') } },
);
const { passed, failed } = count(results);
rmSync(folder, { recursive: true, force: true });
// An error outside any test fails the run too, and so does a test that was skipped.
const failures = status === 0 ? failed : Math.max(failed, 1);
say('');
process.stdout.write(`${passed} passed, ${failures} failed\n`);
process.exitCode = failures === 0 ? 0 : 1;

function count(file) {
  try {
    const { numPassedTests, numTotalTests } = JSON.parse(readFileSync(file, 'utf8'));
    return { passed: numPassedTests, failed: numTotalTests - numPassedTests };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
