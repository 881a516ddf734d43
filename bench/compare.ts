import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
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
    rmSync(folder, { recursive: true, force: true });
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
  const measures = { rate: perSecond, p50: milliseconds, p99: milliseconds, node: milliseconds, postgres: milliseconds };
  for (const [name, format] of Object.entries(measures)) {
    const key = name as keyof HttpRun;
    const [before, after] = [median(pairs.map(([previous]) => previous[key])), median(pairs.map(([, current]) => current[key]))];
    const ratios = pairs.map(([previous, current]) => current[key] / previous[key]);
    const spread = `${times(after / before)} (${times(Math.min(...ratios))}, ${times(Math.max(...ratios))})`;
    line(LABELS[key], `${format(before)} → ${format(after)}`, spread);
  }
}

const LABELS: Readonly<Record<keyof HttpRun, string>> = {
  rate: 'rate',
  p50: 'median',
  p99: '99th percentile',
  node: 'processor time per submission, Node',
  postgres: 'processor time per submission, PostgreSQL',
};
