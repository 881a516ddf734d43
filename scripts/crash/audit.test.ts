import { describe, expect, it } from 'vitest';
import { saidTooOften, unfitAnswers, unsynced } from './audit.ts';

describe('the crash test', () => {
  it('takes no answer of a failure but one that says when to come again', () => {
    const told = [['200', 9] as const, ['503 with Retry-After', 4] as const, ['none', 2] as const];
    expect(unfitAnswers(new Map(told))).toEqual([]);
    expect(unfitAnswers(new Map([...told, ['503', 1], ['500', 2]]))).toEqual(['1 answers were 503', '2 answers were 500']);
  });

  it('finds what a log repeats, and each bug', () => {
    const line = (msg: string): string => JSON.stringify({ level: 40, msg });
    expect(saidTooOften([line('away'), line('away'), 'plain'], 5_000)).toEqual([]);
    expect(saidTooOften([line('away'), line('away'), line('away')], 5_000)).toEqual(['"away" was logged 3 times']);
    expect(saidTooOften([line('away'), line('away'), line('away')], 60_000)).toEqual([]);
    expect(saidTooOften([line('a bug')], 60_000)).toEqual(['"a bug" was logged 1 times']);
  });

  it('finds more acknowledgements than flushes can have carried', () => {
    expect(unsynced({ acknowledged: 400, flushes: 1 })).toEqual([]);
    expect(unsynced({ acknowledged: 401, flushes: 1 })).toHaveLength(1);
    expect(unsynced({ acknowledged: 1, flushes: 0 })).toHaveLength(1);
  });
});
