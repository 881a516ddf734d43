import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../core/time.ts';
import { chosenHours, DEFAULT_HOURS, isOpenAt, isSilent, type OpeningHours } from './hours.ts';

const LISBON = 'Europe/Lisbon';
const NONE: OpeningHours = [null, null, null, null, null, null, null];
/** 2026-11-23 is a Monday; Lisbon's clock is UTC's in winter. */
const at = (day: number, time: string): number => Date.parse(`2026-11-${day}T${time}:00Z`);

describe('opening hours', () => {
  const bar: OpeningHours = [{ from: '18:00', to: '02:00' }, null, null, null, null, { from: '10:00', to: '12:00' }, null];

  it.each([
    [at(23, '17:59'), false],
    [at(23, '18:00'), true],
    [at(24, '01:59'), true],
    [at(24, '02:00'), false],
    [at(24, '18:00'), false],
    [at(28, '10:00'), true],
    [at(28, '12:00'), false],
    [at(30, '01:59'), false],
  ])('are open at %d: %s', (moment, isOpen) => {
    expect(isOpenAt(bar, moment, LISBON)).toBe(isOpen);
  });

  it('follow the clock of the property', () => {
    expect(isOpenAt(DEFAULT_HOURS, at(23, '08:30'), LISBON)).toBe(false);
    expect(isOpenAt(DEFAULT_HOURS, at(23, '08:30'), 'Europe/Berlin')).toBe(true);
    expect(isOpenAt(NONE, at(23, '12:00'), LISBON)).toBe(false);
  });

  it('are refused if a day ends when it starts, naming the day', () => {
    const { issues } = v.safeParse(chosenHours, DEFAULT_HOURS.with(2, { from: '09:00', to: '09:00' }));
    expect(issues?.map((issue) => v.getDotPath(issue))).toEqual(['2.to']);
    expect(v.is(chosenHours, DEFAULT_HOURS.slice(1))).toBe(false);
    expect(v.is(chosenHours, NONE)).toBe(true);
  });
});

describe('a kiosk', () => {
  const isSilentAfter = (minutes: number, now: number): boolean =>
    isSilent(DEFAULT_HOURS, { seen: now - minutes * MINUTE, now, zone: LISBON });

  it('is silent after a quarter of an hour, but not while the place is closed or has just opened', () => {
    expect(isSilentAfter(15, at(23, '12:00'))).toBe(false);
    expect(isSilentAfter(16, at(23, '12:00'))).toBe(true);
    expect(isSilentAfter(900, at(23, '09:14'))).toBe(false);
    expect(isSilentAfter(900, at(23, '09:15'))).toBe(true);
    expect(isSilentAfter(60, at(23, '19:00'))).toBe(false);
  });
});
