import { writeFileSync } from 'node:fs';
import process from 'node:process';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Results of a file's tests. Skipped tests count as neither. */
interface FileOutcome {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
}

/** Results of a run. */
interface RunOutcome {
  readonly files: readonly FileOutcome[];
  /** Errors outside any test. */
  readonly errors: number;
}

/**
 * Writes the results of each file to the file in OUTCOME, and lists tests that passed only when retried (`--retry`), with the error,
 * because they are bugs.
 */
export default class OutcomeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const flaky = modules.flatMap(testsOf).filter(isFlaky);
    for (const test of flaky)
      process.stdout.write(`Passed only when retried: ${test.module.relativeModuleId} > ${test.fullName}${failureOf(test)}\n`);
    const outcome: RunOutcome = { files: modules.map(outcomeOf), errors: unhandled.length };
    writeFileSync(process.env['OUTCOME'] as string, JSON.stringify(outcome));
  }
}

/** A file whose import or hooks fail counts as at least one failure, although its tests are only skipped. */
function outcomeOf(module: TestModule): FileOutcome {
  const tests = testsOf(module);
  const countOf = (state: TestState): number => tests.filter((test) => test.result().state === state).length;
  const isBroken = !module.ok() || tests.length === 0;
  return { name: module.relativeModuleId, passed: countOf('passed'), failed: Math.max(countOf('failed'), isBroken ? 1 : 0) };
}

type TestState = ReturnType<TestCase['result']>['state'];
const testsOf = (module: TestModule): TestCase[] => [...module.children.allTests()];
/** Returns the error of a test's first attempt, with the places in our files. */
function failureOf(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  const lines = (error?.stack ?? error?.message ?? '').split('\n').filter((line) => !line.includes('node_modules'));
  return [...lines, error?.diff ?? ''].map((line) => `\n  ${line}`).join('');
}

const isFlaky = (test: TestCase): boolean => test.diagnostic()?.flaky ?? false;
