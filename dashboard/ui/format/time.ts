import { dateLocale, t } from '../../language.ts';

/*
 * Formats every date and time in the dashboard: in its language, on a 24-hour clock, in the browser's or a property's time zone
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

/** Formatters are created once, because that takes longer than formatting a list of dates. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns a formatter for a time zone; undefined is the browser's. */
function formatter(format: keyof typeof FORMATS, timeZone: string | undefined): Intl.DateTimeFormat {
  const locale = dateLocale();
  const name = `${locale} ${format} ${timeZone}`;
  const existing = formatters.get(name) ?? new Intl.DateTimeFormat(locale, { ...FORMATS[format], timeZone });
  formatters.set(name, existing);
  return existing;
}

const formatted = (format: keyof typeof FORMATS, at: number, zone?: string): string => formatter(format, zone).format(at);

/** Returns how long ago, in a short form: "2 m", "3 h", "Tue 14:02", "4 Nov". */
export function ago(at: number, now: number, zone?: string): string {
  const past = now - at;
  if (past < MINUTE) return t('now');
  if (past < HOUR) return minutes(Math.floor(past / MINUTE));
  if (past < 12 * HOUR) return hours(Math.floor(past / HOUR));
  if (past < 6 * DAY) return `${formatted('weekday', at, zone)} ${clock(at, zone)}`;
  return formatted('dayOfYear', at, zone);
}

/** Returns how long someone has waited: "2 m", "3 h", "4 days". */
export function waitedFor(since: number, now: number): string {
  const waited = Math.max(0, now - since);
  if (waited < HOUR) return minutes(Math.max(1, Math.floor(waited / MINUTE)));
  if (waited < DAY) return hours(Math.floor(waited / HOUR));
  const days = Math.floor(waited / DAY);
  return t.count(days, '{count} day', '{count} days');
}

// Strings, because a number costs a formatter each time.
const minutes = (count: number): string => t('{count} m', { count: String(count) });
const hours = (count: number): string => t('{count} h', { count: String(count) });

/** Returns "14:02". */
export const clock = (at: number, zone?: string): string => formatted('clock', at, zone);

/** Returns "4 Nov". */
export const dayOfYear = (at: number): string => formatted('dayOfYear', at);

/** Returns "Tuesday 4 November". */
export const weekday = (at: number): string => formatted('weekdayInFull', at);

/** Returns "May 2026". */
export const monthOf = (at: number): string => formatted('month', at);

/** Returns "3 May 2026". */
export const day = (at: number, zone?: string): string => formatted('day', at, zone);

/** Returns "3 May 2026, 14:02". */
export const moment = (at: number, zone?: string): string => `${day(at, zone)}, ${clock(at, zone)}`;

/** Returns "21 November 2026, 16:54", followed by "Lisbon time" if that differs from the browser's. */
export function exactly(at: number, zone?: string): string {
  const local = `${formatted('dayInFull', at, zone)}, ${clock(at, zone)}`;
  return zone === undefined || local === exactly(at) ? local : t('{moment}, {city} time', { moment: local, city: cityOf(zone) });
}

/** Returns Monday to Sunday in the dashboard's language. */
export function weekdays(length: 'long' | 'short' = 'long'): readonly string[] {
  const format = new Intl.DateTimeFormat(dateLocale(), { weekday: length, timeZone: 'UTC' });
  return Array.from({ length: 7 }, (_, index) => format.format(MONDAY + index * DAY));
}

/** A Monday (UTC ms). */
const MONDAY = Date.UTC(2024, 0, 1);

/** Returns "Buenos Aires" for "America/Argentina/Buenos_Aires". */
const cityOf = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

/** Returns the browser's time zone. */
export const localZone = (): string => formatter('clock', undefined).resolvedOptions().timeZone;
