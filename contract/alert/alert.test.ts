import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../core/time.ts';
import { afterLoudMinutes, isQuiet, quietUntil } from './alert.ts';

const NIGHT = { from: '22:00', to: '07:00' };
const BERLIN = 'Europe/Berlin';
const at = (iso: string): number => Date.parse(iso);

describe('quiet hours', () => {
  it.each([
    ['21:59', false],
    ['22:00', true],
    ['23:59', true],
    ['00:00', true],
    ['06:59', true],
    ['07:00', false],
    ['12:00', false],
  ])('across midnight: %s is quiet: %s', (time, quiet) => {
    expect(isQuiet(NIGHT, at(`2026-11-22T${time}:00+01:00`), BERLIN)).toBe(quiet);
  });

  it('in an afternoon start and end on the same day', () => {
    const nap = { from: '13:00', to: '15:30' };
    expect(['12:59', '13:00', '15:29', '15:30'].map((time) => isQuiet(nap, at(`2026-11-22T${time}:00Z`), 'UTC'))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(quietUntil(nap, at('2026-11-22T14:00:00Z'), 'UTC')).toBe(at('2026-11-22T15:30:00Z'));
  });

  it('end in the morning by the property’s clock, even in the night of a clock change', () => {
    expect(quietUntil(NIGHT, at('2026-11-22T22:30:00+01:00'), BERLIN)).toBe(at('2026-11-23T07:00:00+01:00'));
    expect(quietUntil(NIGHT, at('2026-11-23T01:00:00+01:00'), BERLIN)).toBe(at('2026-11-23T07:00:00+01:00'));
    // These nights are an hour shorter and an hour longer.
    expect(quietUntil(NIGHT, at('2026-03-28T23:00:00+01:00'), BERLIN)).toBe(at('2026-03-29T07:00:00+02:00'));
    expect(quietUntil(NIGHT, at('2026-10-24T23:00:00+02:00'), BERLIN)).toBe(at('2026-10-25T07:00:00+01:00'));
  });

  it('end after the gap when their end is skipped, and each time when it comes twice', () => {
    const early = { from: '22:00', to: '02:30' };
    expect(quietUntil(early, at('2026-03-29T01:00:00+01:00'), BERLIN)).toBe(at('2026-03-29T03:00:00+02:00'));
    expect(quietUntil(early, at('2026-10-25T01:00:00+02:00'), BERLIN)).toBe(at('2026-10-25T02:30:00+02:00'));
    const secondTime = at('2026-10-25T02:10:00+01:00');
    expect(isQuiet(early, secondTime, BERLIN)).toBe(true);
    expect(quietUntil(early, secondTime, BERLIN)).toBe(at('2026-10-25T02:30:00+01:00'));
  });

  it('are over at their end and last at most a day, in every zone', () => {
    for (const zone of ['Europe/Berlin', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Pacific/Apia', 'Asia/Kathmandu'])
      for (let moment = at('2026-01-01T00:13:00Z'); moment < at('2027-01-01T00:00:00Z'); moment += 7 * DAY + 97 * MINUTE)
        for (const quiet of [NIGHT, { from: '00:00', to: '23:59' }, { from: '02:15', to: '02:45' }]) {
          if (!isQuiet(quiet, moment, zone)) continue;
          const end = quietUntil(quiet, moment, zone);
          expect(isQuiet(quiet, end, zone)).toBe(false);
          expect(end - moment).toBeLessThanOrEqual(DAY + HOUR);
        }
  });
});

describe('minutes outside quiet hours', () => {
  const from = (iso: string, minutes: number) => new Date(afterLoudMinutes(minutes, at(iso), { quiet: NIGHT, zone: BERLIN })).toISOString();

  it('pass at once without quiet hours', () => {
    expect(afterLoudMinutes(30, 1_000, { zone: 'UTC' })).toBe(1_000 + 30 * MINUTE);
    expect(from('2026-11-22T12:00:00+01:00', 30)).toBe('2026-11-22T11:30:00.000Z');
  });

  it('stop during quiet hours', () => {
    expect(from('2026-11-22T21:50:00+01:00', 30)).toBe('2026-11-23T06:20:00.000Z');
    expect(from('2026-11-23T03:00:00+01:00', 30)).toBe('2026-11-23T06:30:00.000Z');
    // A day of 15 hours, and a quarter of an hour of the next.
    expect(from('2026-11-22T07:00:00+01:00', 15 * 60 + 15)).toBe('2026-11-23T06:15:00.000Z');
  });
});
