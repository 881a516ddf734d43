import { pluralize } from '#contract/core/sentences.ts';
import { type CheckOptions, findingsOf } from './checks.ts';
import type { Finding } from './finding.ts';
import type { CommandOutcome } from './output.ts';

/** Runs all checks and reports each result with advice. Warnings alone don't make the outcome bad. */
export async function examine(options: CheckOptions): Promise<CommandOutcome> {
  const findings = await findingsOf(options);
  const [problems, warnings] = [numberOf(findings, 'wrong'), numberOf(findings, 'warning')];
  const summary =
    problems + warnings === 0
      ? 'Everything is fine.'
      : `${pluralize(problems, 'thing is', 'things are')} wrong, ${pluralize(warnings, 'warning')}.`;
  return { data: { isHealthy: problems === 0, findings }, text: `${linesOf(findings)}\n\n${summary}`, isBad: problems > 0 };
}

const numberOf = (findings: readonly Finding[], state: Finding['state']): number =>
  findings.filter((finding) => finding.state === state).length;

function linesOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const line = (state: string, check: string, message: string): string =>
    `${state.padEnd('warning'.length)}  ${check.padEnd(width)}  ${message}`;
  return findings
    .flatMap(({ check, state, message, advice }) => [line(state, check, message), ...(advice === undefined ? [] : [line('', '', advice)])])
    .join('\n');
}
