import { type CheckOptions, findingsOf } from './checks.ts';
import type { Finding } from './finding.ts';
import { type CommandOutcome, counted } from './output.ts';

/** Runs all checks and reports each result with advice. Warnings alone don't make the outcome bad. */
export async function examine(options: CheckOptions): Promise<CommandOutcome> {
  const findings = await findingsOf(options);
  const [wrong, warnings] = [numberOf(findings, 'wrong'), numberOf(findings, 'warning')];
  const sum =
    wrong + warnings === 0 ? 'Everything is fine.' : `${counted(wrong, 'thing is', 'things are')} wrong, ${counted(warnings, 'warning')}.`;
  return { data: { isWell: wrong === 0, findings }, text: `${linesOf(findings)}\n\n${sum}`, isBad: wrong > 0 };
}

const numberOf = (findings: readonly Finding[], state: Finding['state']): number =>
  findings.filter((finding) => finding.state === state).length;

function linesOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const line = (state: string, check: string, said: string): string => `${state.padEnd('warning'.length)}  ${check.padEnd(width)}  ${said}`;
  return findings
    .flatMap(({ check, state, said, advice }) => [line(state, check, said), ...(advice === undefined ? [] : [line('', '', advice)])])
    .join('\n');
}
