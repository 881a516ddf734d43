import { describe, expect, it } from 'vitest';
import { MINUTE } from '#contract/core/time.ts';
import type { Kiosk } from '#contract/kiosk/kiosk.ts';
import { oldTown } from '#fixtures/business.ts';
import { exitKiosk } from '#fixtures/kiosks.ts';
import { tabletState, waitingText } from './kiosk-state.ts';

const property = { ...oldTown, data: { ...oldTown.data, timeZone: 'Europe/Lisbon' } };
/** Noon in Lisbon, when the kiosk is open from 09:00 to 18:00. */
const NOON = Date.UTC(2026, 10, 20, 12);
const kioskWith = (data: Partial<Kiosk['data']>): Kiosk => ({ ...exitKiosk, data: { ...exitKiosk.data, ...data } });
const labelAt = (now: number, data: Partial<Kiosk['data']>): string => tabletState(kioskWith(data), property, now).label;

describe('the state of a tablet', () => {
  it('is “Not paired” without one', () => {
    expect(tabletState(exitKiosk, property, NOON)).toEqual({ label: 'Not paired', tone: 'plain' });
  });

  it('is “Online” for 15 minutes after a report, or after pairing', () => {
    const paired = NOON - 15 * MINUTE;
    expect(tabletState(kioskWith({ paired }), property, NOON)).toEqual({ label: 'Online', tone: 'ok' });
    expect(labelAt(NOON, { paired: 1, seen: paired })).toBe('Online');
  });

  it('is “Silent since” during opening hours, with the day if it’s long ago', () => {
    const seen = NOON - 16 * MINUTE;
    expect(tabletState(kioskWith({ paired: 1, seen }), property, NOON)).toEqual({ label: 'Silent since 11:44', tone: 'bad' });
    expect(labelAt(NOON, { paired: 1, seen: Date.UTC(2026, 10, 18, 17, 30) })).toBe('Silent since Wed 17:30');
    expect(labelAt(NOON, { paired: 1, seen: Date.UTC(2026, 9, 2, 12) })).toBe('Silent since 2 Oct');
  });

  it('is “Last seen” when closed, unless it was already silent', () => {
    const [seen, night] = [Date.UTC(2026, 10, 20, 18, 2), Date.UTC(2026, 10, 20, 21)];
    expect(tabletState(kioskWith({ paired: 1, seen }), property, night)).toEqual({ label: 'Last seen 18:02', tone: 'plain' });
    expect(labelAt(night, { paired: 1, seen: NOON, silent: NOON })).toBe('Silent since 12:00');
  });
});

it('counts the waiting answers', () => {
  expect([undefined, 0, 1, 12].map((waiting) => waitingText(kioskWith(waiting === undefined ? {} : { waiting })))).toEqual([
    undefined,
    undefined,
    '1 answer waiting on the tablet',
    '12 answers waiting on the tablet',
  ]);
});
