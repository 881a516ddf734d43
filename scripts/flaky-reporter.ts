import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Names each test that passed at a second try only: where `--retry` is given, such a one is a defect that is not hidden. */
export default class FlakyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap((module) => [...module.children.allTests()]).filter(isFlaky);
    for (const test of flaky) process.stdout.write(`Passed at a second try only: ${test.module.relativeModuleId} > ${test.fullName}\n`);
  }
}

const isFlaky = (test: TestCase): boolean => test.diagnostic()?.flaky ?? false;
