import { describe, expect, it } from 'vitest';
import { ago, clock, day, dayOfYear, exactly, localZone, moment, weekday } from './time.ts';

// Local time, so the test passes in any time zone.
const AT = new Date(2026, 10, 3, 16, 5).getTime();
const HOUR = 3_600_000;

describe('dates and times', () => {
  it('are in English, on a 24-hour clock', () => {
    expect(clock(AT)).toBe('16:05');
    expect(clock(new Date(2026, 10, 3).getTime())).toBe('00:00');
    expect(dayOfYear(AT)).toBe('3 Nov');
    expect(weekday(AT)).toBe('Tuesday 3 November');
    expect(day(AT)).toBe('3 Nov 2026');
    expect(moment(AT)).toBe('3 Nov 2026, 16:05');
    expect(exactly(AT)).toBe('3 November 2026, 16:05');
  });

  it('use a property’s time zone, and name it if it differs from the browser’s', () => {
    const there = localZone() === 'Asia/Tokyo' ? 'America/New_York' : 'Asia/Tokyo';
    const noon = Date.UTC(2026, 10, 3, 3);
    expect(clock(noon, 'Asia/Tokyo')).toBe('12:00');
    expect(moment(noon, 'America/New_York')).toBe('2 Nov 2026, 22:00');
    expect(ago(noon, noon + 24 * HOUR, 'America/New_York')).toBe('Mon 22:00');
    expect(exactly(noon, there)).toMatch(/^[23] November 2026, \d\d:00, (?:Tokyo|New York) time$/);
    expect(exactly(noon, localZone())).toBe(exactly(noon));
  });

  it('say how long ago in a short form', () => {
    expect(ago(AT, AT + 59_999)).toBe('now');
    expect(ago(AT, AT + 2 * 60_000)).toBe('2 m');
    expect(ago(AT, AT + 11 * HOUR)).toBe('11 h');
    expect(ago(AT, AT + 12 * HOUR)).toBe('Tue 16:05');
    expect(ago(AT, AT + 6 * 24 * HOUR)).toBe('3 Nov');
  });
});
