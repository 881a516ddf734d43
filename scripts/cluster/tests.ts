import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { ClusterError } from './citus.ts';
import { EXCEPTIONS } from './exceptions.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Vitest's JSON report, as far as it's read here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly title: string; readonly fullName: string; readonly status: string }[];
  }[];
}

interface TestOutcome {
  readonly file: string;
  readonly test: string;
  readonly status: string;
}

/** Runs the module tests on a database, by default all, and returns whether only named exceptions fail. */
export async function runTests(url: string, files: readonly string[]): Promise<boolean> {
  const outcomes = await outcomesOf(url, files);
  const isException = ({ file, test }: TestOutcome): boolean => EXCEPTIONS[file]?.[test] !== undefined;
  const [passed, failed] = ['passed', 'failed'].map((status) => outcomes.filter((outcome) => outcome.status === status)) as [
    TestOutcome[],
    TestOutcome[],
  ];
  const unexpected = failed.filter((outcome) => !isException(outcome));
  const outdated = passed.filter(isException);
  for (const { file, test } of unexpected) process.stdout.write(`Failed: ${file} > ${test}\n`);
  for (const { file, test } of outdated) process.stdout.write(`Passes, although it is an exception: ${file} > ${test}\n`);
  const expected = failed.length - unexpected.length;
  process.stdout.write(
    `On the cluster: ${passed.length} tests of ${new Set(outcomes.map(({ file }) => file)).size} files passed, ${expected} failed as expected, ${unexpected.length} failed.\n`,
  );
  return outcomes.length > 0 && unexpected.length === 0;
}

async function outcomesOf(url: string, files: readonly string[]): Promise<TestOutcome[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'afterword-cluster-tests-'));
  const file = path.join(folder, 'report.json');
  try {
    const projects = ['modules', 'modules-alone'].flatMap((name) => ['--project', name]);
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const args = ['node_modules/vitest/vitest.mjs', 'run', ...projects, '--maxWorkers=2', ...reporters, ...files];
    const vitest = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, DATABASE_URL: url } });
    const stop = () => vitest.kill();
    process.once('SIGINT', stop).once('SIGTERM', stop);
    const [status, signal] = await once(vitest, 'exit');
    if (!existsSync(file)) throw new ClusterError(`The tests ended without a report (${status ?? signal}).`);
    return outcomesIn(JSON.parse(await readFile(file, 'utf8')));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A file whose import or hooks fail counts as one failed test without a name. */
const outcomesIn = ({ testResults }: Report): TestOutcome[] =>
  testResults.flatMap(({ name, status, assertionResults }) => {
    const file = path.relative(ROOT, name).replaceAll(path.sep, '/');
    const outcomes = assertionResults.map((each) => ({ file, test: each.fullName, status: each.status }));
    const isBroken = status === 'failed' && !outcomes.some((outcome) => outcome.status === 'failed');
    return isBroken ? [...outcomes, { file, test: '', status: 'failed' }] : outcomes;
  });
