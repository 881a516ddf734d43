/** Dates that people see follow the zone of whoever looks; instants are UTC milliseconds everywhere. */

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
export const QUARTER_HOUR = 900_000;

export const DATE_FILTERS = ['today', 'week', 'month'] as const;
export type DateFilter = (typeof DATE_FILTERS)[number];

/** How many days before today a filter begins (docs/rules.md#date-filters). */
const DAYS_BACK: Record<DateFilter, number> = { today: 0, week: 7, month: 31 };

/** A range of time: from (inclusive) to (exclusive), UTC milliseconds. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** What a date filter means at a moment in a zone: from the start of its first day to the start of tomorrow (docs/rules.md#date-filters). */
export function dateRange(filter: DateFilter, now: number, zone: string): Range {
  const today = calendarDay(now, zone);
  return { from: startOfDay(addDays(today, -DAYS_BACK[filter]), zone), to: startOfDay(addDays(today, 1), zone) };
}

/** The range of the same length that ends where this one begins, for "up 0.2 on the 31 days before". */
export function rangeBefore(filter: DateFilter, now: number, zone: string): Range {
  const { from } = dateRange(filter, now, zone);
  const first = calendarDay(from, zone);
  return { from: startOfDay(addDays(first, -(DAYS_BACK[filter] + 1)), zone), to: from };
}

/** A day of the calendar, months from 1. */
export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** `yyyymmdd` of a moment in UTC. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
}

/** `yyyy-mm-dd`: year, 1-based month, day, two digits each (docs/rules.md#dates). */
export function isoDay({ year, month, day }: CalendarDay): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** The day that the calendar on the wall shows at a moment in a zone. */
export function calendarDay(at: number, zone: string): CalendarDay {
  const wall = new Date(at + offset(at, zone));
  return { year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, day: wall.getUTCDate() };
}

export function addDays({ year, month, day }: CalendarDay, days: number): CalendarDay {
  const moved = new Date(Date.UTC(year, month - 1, day + days));
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
}

/**
 * The first moment of a day in a zone: midnight, or where the clocks skip midnight, the moment after the gap;
 * where midnight comes twice, the first.
 */
export function startOfDay({ year, month, day }: CalendarDay, zone: string): number {
  const midnight = Date.UTC(year, month - 1, day);
  const candidates = [midnight - offset(midnight - DAY, zone), midnight - offset(midnight + DAY, zone)].sort((a, b) => a - b);
  const exact = candidates.find((at) => at + offset(at, zone) === midnight);
  return exact ?? afterGap(midnight, candidates, zone);
}

/** Midnight does not exist on this day. The clocks jump once between the candidates; find the moment they do. */
function afterGap(midnight: number, [early = 0, late = early]: number[], zone: string): number {
  let before = Math.min(early, late) - 1;
  let after = Math.max(early, late) + 1;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (middle + offset(middle, zone) >= midnight) after = middle;
    else before = middle;
  }
  return after;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far the wall clock of a zone is ahead of UTC at a moment, in milliseconds. */
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
  const known = formats.get(zone);
  if (known) return known;
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
