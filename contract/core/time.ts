/* Dates that people see follow the viewer's time zone; moments are UTC milliseconds everywhere. */

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
export const MINUTE = 60_000;
export const QUARTER_HOUR = 900_000;

export const DATE_FILTERS = ['today', 'week', 'month'] as const;
type DateFilter = (typeof DATE_FILTERS)[number];

/** How many days before today a filter starts (docs/rules.md#date-filters). */
const DAYS_BACK: Record<DateFilter, number> = { today: 0, week: 7, month: 31 };

/** A range of time: from (inclusive) to (exclusive), UTC milliseconds. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Returns a date filter's range in a zone, from the start of its first day to the start of tomorrow (docs/rules.md#date-filters). */
export function dateRange(filter: DateFilter, now: number, zone: string): Range {
  const today = calendarDay(now, zone);
  return { from: startOfDay(addDays(today, -DAYS_BACK[filter]), zone), to: startOfDay(addDays(today, 1), zone) };
}

/** Returns the range of the same length that ends where this one starts, for "up 0.2 on the 31 days before". */
export function rangeBefore(filter: DateFilter, now: number, zone: string): Range {
  const { from } = dateRange(filter, now, zone);
  const first = calendarDay(from, zone);
  return { from: startOfDay(addDays(first, -(DAYS_BACK[filter] + 1)), zone), to: from };
}

/**
 * Splits a range into whole UTC days and the rest before and after them, so that daily counts can be used for the days. Each part may
 * be empty.
 */
export function wholeDays({ from, to }: Range): { readonly days: Range; readonly rest: readonly [Range, Range] } {
  const first = Math.ceil(from / DAY) * DAY;
  if (first > to)
    return {
      days: { from: first, to: first },
      rest: [
        { from, to },
        { from: to, to },
      ],
    };
  const last = Math.floor(to / DAY) * DAY;
  return {
    days: { from: first, to: last },
    rest: [
      { from, to: first },
      { from: last, to },
    ],
  };
}

/** A calendar day, with months from 1. */
export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Returns `yyyymmdd` of a moment in UTC. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
}

/** Returns `yyyy-mm-dd` (docs/rules.md#dates). */
export function isoDay({ year, month, day }: CalendarDay): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** Returns a moment by a zone's clock, with its offset from UTC: `2026-11-22T10:43:51+01:00`. */
export function isoMoment(at: number, zone: string): string {
  const ahead = offset(at, zone);
  const minutes = Math.abs(Math.round(ahead / 60_000));
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  return `${new Date(at + ahead).toISOString().slice(0, 19)}${ahead < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Returns the day of a `yyyy-mm-dd`; undefined if the calendar has no such day. */
export function parseDay(text: string): CalendarDay | undefined {
  const [, year, month, day] = (ISO_DAY.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const parsed = addDays({ year, month, day }, 0);
  return isoDay(parsed) === text ? parsed : undefined;
}

/** Returns the calendar day at a moment in a zone. */
export function calendarDay(at: number, zone: string): CalendarDay {
  const wall = new Date(at + offset(at, zone));
  return { year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, day: wall.getUTCDate() };
}

export function addDays({ year, month, day }: CalendarDay, days: number): CalendarDay {
  const result = new Date(Date.UTC(year, month - 1, day + days));
  return { year: result.getUTCFullYear(), month: result.getUTCMonth() + 1, day: result.getUTCDate() };
}

/**
 * Returns the first moment of a day in a zone: midnight, the moment after the gap if the clocks skip midnight, or the first of two
 * midnights.
 */
export const startOfDay = (day: CalendarDay, zone: string): number => hourOfDay(day, 0, zone);

/** Returns the first moment at which a zone's clock shows a full hour on a day. */
export const hourOfDay = (day: CalendarDay, hour: number, zone: string): number => momentsOf(day, hour * 60, zone)[0];

/**
 * Returns the moments at which a zone's clock shows this minute of a day: one, two in order if the clock goes back over it, or the
 * moment after the gap if the clock skips it.
 */
export function momentsOf({ year, month, day }: CalendarDay, minutes: number, zone: string): [number, ...number[]] {
  const wallTime = Date.UTC(year, month - 1, day) + minutes * MINUTE;
  const [before, after] = [wallTime - offset(wallTime - DAY, zone), wallTime - offset(wallTime + DAY, zone)];
  const candidates = [Math.min(before, after), Math.max(before, after)] as const;
  const [first, ...others] = [...new Set(candidates)].filter((at) => at + offset(at, zone) === wallTime);
  return first === undefined ? [afterGap(wallTime, candidates, zone)] : [first, ...others];
}

/** Returns the moment at which the clock jumps over a time. It jumps once between the candidates. */
function afterGap(wallTime: number, [early, late]: readonly [number, number], zone: string): number {
  let before = early - 1;
  let after = late + 1;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (middle + offset(middle, zone) >= wallTime) after = middle;
    else before = middle;
  }
  return after;
}

/** Returns the minutes since midnight of a time such as `22:00`. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns how far a zone's clock is ahead of UTC at a moment (ms). */
export function offset(at: number, zone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of wallClock(zone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const wall = new Date(0);
  wall.setUTCFullYear(year, month - 1, day);
  wall.setUTCHours(hour, minute, second);
  return wall.getTime() - Math.floor(at / 1000) * 1000;
}

function wallClock(zone: string): Intl.DateTimeFormat {
  const existing = formats.get(zone);
  if (existing) return existing;
  const format = new Intl.DateTimeFormat('en-u-ca-iso8601', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, format);
  return format;
}
