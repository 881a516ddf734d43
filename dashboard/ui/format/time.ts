/*
 * Every date and time that the dashboard shows: in English, on a clock of 24 hours, in the browser's time zone, or in that of a place
 * (docs/rules.md#shown-dates).
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const FORMATS = {
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  weekday: { weekday: 'short' },
  dayOfYear: { day: 'numeric', month: 'short' },
  weekdayInFull: { weekday: 'long', day: 'numeric', month: 'long' },
  month: { month: 'short', year: 'numeric' },
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  dayInFull: { day: 'numeric', month: 'long', year: 'numeric' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Each is made when it is needed first: that takes longer than to write a list of dates with it. */
const made = new Map<string, Intl.DateTimeFormat>();

/** In one zone: the browser's where none is named. */
function formatter(format: keyof typeof FORMATS, timeZone: string | undefined): Intl.DateTimeFormat {
  const name = `${format} ${timeZone}`;
  const found = made.get(name) ?? new Intl.DateTimeFormat('en-GB', { ...FORMATS[format], timeZone });
  made.set(name, found);
  return found;
}

const written = (format: keyof typeof FORMATS, at: number, zone?: string): string => formatter(format, zone).format(at);

/** How long ago, as short as a list needs it: "2 m", "3 h", "Tue 14:02", "4 Nov". */
export function ago(at: number, now: number, zone?: string): string {
  const past = now - at;
  if (past < MINUTE) return 'now';
  if (past < HOUR) return `${Math.floor(past / MINUTE)} m`;
  if (past < 12 * HOUR) return `${Math.floor(past / HOUR)} h`;
  if (past < 6 * DAY) return `${written('weekday', at, zone)} ${clock(at, zone)}`;
  return written('dayOfYear', at, zone);
}

/** How long somebody has waited: "2 m", "3 h", "4 days". */
export function waitedFor(since: number, now: number): string {
  const waited = Math.max(0, now - since);
  if (waited < HOUR) return `${Math.max(1, Math.floor(waited / MINUTE))} m`;
  if (waited < DAY) return `${Math.floor(waited / HOUR)} h`;
  const days = Math.floor(waited / DAY);
  return days === 1 ? '1 day' : `${days} days`;
}

/** "14:02". */
export const clock = (at: number, zone?: string): string => written('clock', at, zone);

/** "4 Nov". */
export const dayOfYear = (at: number): string => written('dayOfYear', at);

/** "Tuesday 4 November". */
export const weekday = (at: number): string => written('weekdayInFull', at);

/** "May 2026". */
export const monthOf = (at: number): string => written('month', at);

/** "3 May 2026", for what happens on a day. */
export const day = (at: number, zone?: string): string => written('day', at, zone);

/** "3 May 2026, 14:02", for lists of what happened. */
export const moment = (at: number, zone?: string): string => `${day(at, zone)}, ${clock(at, zone)}`;

/** "21 November 2026, 16:54": the moment in full, for titles and details; with "Lisbon time" where it is another hour here. */
export function exactly(at: number, zone?: string): string {
  const there = `${written('dayInFull', at, zone)}, ${clock(at, zone)}`;
  return zone === undefined || there === exactly(at) ? there : `${there}, ${placeOf(zone)} time`;
}

/** "America/Argentina/Buenos_Aires" is Buenos Aires. */
const placeOf = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

/** The time zone of this browser. */
export const localZone = (): string => formatter('clock', undefined).resolvedOptions().timeZone;
