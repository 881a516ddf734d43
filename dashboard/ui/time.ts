const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, as short as a list needs it: "2 m", "3 h", "Tue 14:02", "4 Nov". */
export function ago(at: number, now: number): string {
  const past = now - at;
  if (past < MINUTE) return 'now';
  if (past < HOUR) return `${Math.floor(past / MINUTE)} m`;
  if (past < 12 * HOUR) return `${Math.floor(past / HOUR)} h`;
  if (past < 6 * DAY) return format(at, { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return format(at, { day: 'numeric', month: 'short' });
}

/** The moment in full, for titles and details. */
export const exactly = (at: number): string => format(at, { dateStyle: 'full', timeStyle: 'short' });

export const clock = (at: number): string => format(at, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

const format = (at: number, options: Intl.DateTimeFormatOptions): string => new Intl.DateTimeFormat(undefined, options).format(at);

/** The time zone of this browser. */
export const localZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** "3 May 2026", for what happens on a day. */
export const day = (at: number): string => format(at, { dateStyle: 'medium' });

/** "3 May 2026, 14:02", for lists of what happened. */
export const moment = (at: number): string => format(at, { dateStyle: 'medium', timeStyle: 'short' });
