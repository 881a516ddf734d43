import { describe, expect, it } from 'vitest';
import { acknowledgementsOf, badResponses, repeatedMessages, unsynced } from './audit.ts';

describe('the crash test', () => {
  it('accepts no 5xx response without Retry-After', () => {
    const responses = [['200', 9] as const, ['503 with Retry-After', 4] as const, ['none', 2] as const];
    expect(badResponses(new Map(responses))).toEqual([]);
    expect(badResponses(new Map([...responses, ['503', 1], ['500', 2]]))).toEqual(['1 × response 503', '2 × response 500']);
  });

  it('sums up hundreds of thousands of acknowledgements', () => {
    const entry = (index: number) => ({ key: `${index}`, id: `${index}`, rating: 5, attempts: index % 2 ? 1 : 2, duration: index });
    const entries = Array.from({ length: 300_000 }, (_, index) => entry(index));
    expect(acknowledgementsOf(entries)).toEqual({ acknowledged: 300_000, retried: 150_000, longest: 299_999 });
  });

  it('finds repeated log messages, and each bug', () => {
    const line = (msg: string): string => JSON.stringify({ level: 40, msg });
    expect(repeatedMessages([line('away'), line('away'), 'plain'], 5_000)).toEqual([]);
    expect(repeatedMessages([line('away'), line('away'), line('away')], 5_000)).toEqual(['"away" was logged 3 times']);
    expect(repeatedMessages([line('away'), line('away'), line('away')], 60_000)).toEqual([]);
    expect(repeatedMessages([line('a bug')], 60_000)).toEqual(['"a bug" was logged 1 times']);
  });

  it('finds more acknowledgements than the flushes could have stored', () => {
    expect(unsynced({ acknowledged: 400, flushes: 1 })).toEqual([]);
    expect(unsynced({ acknowledged: 401, flushes: 1 })).toHaveLength(1);
    expect(unsynced({ acknowledged: 1, flushes: 0 })).toHaveLength(1);
  });
});
