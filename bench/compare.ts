import { execFileSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { line, median, milliseconds, perSecond, say, times } from './measure.ts';
import { type BenchProduct, startProduct } from './product.ts';
import { type HttpRun, measureHttp } from './submissions.ts';

const TURNS = 5;

/** Compares submissions of this version and of a commit, by turns on this machine. */
export async function compareWith(commit: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'afterword-compared-'));
  const run = (command: string, args: readonly string[], cwd?: string) => execFileSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
  run('git', ['worktree', 'add', '--detach', '--force', folder, commit]);
  try {
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], folder);
    run('npm', ['run', 'build'], folder);
    const [previous, current] = [await startProduct(folder), await startProduct()];
    try {
      const pairs: (readonly [HttpRun, HttpRun])[] = [];
      for (let turn = 0; turn < TURNS; turn += 1)
        pairs.push([await measureAlone(previous, current), await measureAlone(current, previous)]);
      report(commit, pairs);
    } finally {
      await Promise.all([previous.stop(), current.stop()]);
    }
  } finally {
    run('git', ['worktree', 'remove', '--force', folder]);
  }
}

/** Measures a product while the other is suspended, which still has work to do from its last turn. */
async function measureAlone(product: BenchProduct, other: BenchProduct): Promise<HttpRun> {
  process.kill(other.pid, 'SIGSTOP');
  try {
    return await measureHttp(product);
  } finally {
    process.kill(other.pid, 'SIGCONT');
  }
}

function report(commit: string, pairs: readonly (readonly [HttpRun, HttpRun])[]): void {
  say(`\nsubmissions, ${TURNS} turns: ${commit} → this version, ratio of the medians (lowest and highest of a turn)`);
  for (const [key, label, format] of MEASURES) {
    const [before, after] = [median(pairs.map(([previous]) => previous[key])), median(pairs.map(([, current]) => current[key]))];
    const ratios = pairs.map(([previous, current]) => current[key] / previous[key]);
    const spread = `${times(after / before)} (${times(Math.min(...ratios))}, ${times(Math.max(...ratios))})`;
    line(label, `${format(before)} → ${format(after)}`, spread);
  }
}

const MEASURES: readonly (readonly [key: keyof HttpRun, label: string, format: (value: number) => string])[] = [
  ['rate', 'rate', perSecond],
  ['p50', 'median', milliseconds],
  ['p99', '99th percentile', milliseconds],
  ['node', 'processor time per submission, Node', milliseconds],
  ['postgres', 'processor time per submission, PostgreSQL', milliseconds],
];
