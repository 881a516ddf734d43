import * as v from 'valibot';
import { hasLink } from '../core/names.ts';
import { text } from '../core/schema.ts';
import { addDays, type CalendarDay, calendarDay, DAY, hourOfDay } from '../core/time.ts';

/* When a property's feedback requests are sent (docs/rules.md#feedback-requests). Pure, so that the dashboard and the server agree. */

const LONGEST_DELAY = 30;
const LONGEST_REMINDER = 14;
const [SHORTEST_GAP, LONGEST_GAP] = [7, 365];
const LONGEST_ADDRESS = 200;

// @__NO_SIDE_EFFECTS__
const wholeNumber = (from: number, to: number, message: string) =>
  v.pipe(v.number(message), v.integer(message), v.minValue(from, message), v.maxValue(to, message));

export const ADDRESS_MESSAGE = `Enter an address of at most ${LONGEST_ADDRESS} characters, without a link`;
/** The business's postal address. It's in emails that the installation sends, so it has no link. */
export const postalAddress = v.pipe(
  text(LONGEST_ADDRESS, 1),
  v.trim(),
  v.nonEmpty(ADDRESS_MESSAGE),
  v.check((address) => !hasLink(address), ADDRESS_MESSAGE),
);

/** A property's settings for feedback requests, as stored and as a client sends them. */
export const requestSettings = v.strictObject({
  /** Days between the visit and the email. */
  delay: wholeNumber(0, LONGEST_DELAY, `Enter 0 to ${LONGEST_DELAY} days`),
  /** The hour of the property's clock at which emails are sent, from 0 to 23. */
  hour: wholeNumber(0, 23, 'Choose an hour'),
  /** Days between the email and its reminder. Left out: no reminder. */
  reminder: v.optional(wholeNumber(1, LONGEST_REMINDER, `Enter 1 to ${LONGEST_REMINDER} days`)),
  /** Days in which an address is asked at most once. */
  gap: wholeNumber(SHORTEST_GAP, LONGEST_GAP, `Enter ${SHORTEST_GAP} to ${LONGEST_GAP} days`),
  /** At the end of each email. */
  address: v.optional(postalAddress),
});
export type RequestSettings = v.InferOutput<typeof requestSettings>;

/** The settings of a property whose admins haven't changed them. */
export const DEFAULT_REQUESTS: RequestSettings = { delay: 1, hour: 10, reminder: 7, gap: 90 };

/** Returns when a request is due (UTC ms): some days after the visit, or else the next time the clock shows the hour. */
export function requestDue(settings: RequestSettings, { visited, now, zone }: { visited: number; now: number; zone: string }): number {
  const at = (day: CalendarDay): number => hourOfDay(day, settings.hour, zone);
  const today = calendarDay(now, zone);
  const days = [addDays(calendarDay(visited, zone), settings.delay), today, addDays(today, 1)];
  return days.map(at).find((moment) => moment >= now) ?? now + DAY;
}

/** Returns when the reminder of a request is due (UTC ms); undefined if there is none. */
export function reminderDue({ reminder, hour }: RequestSettings, sent: number, zone: string): number | undefined {
  return reminder === undefined ? undefined : hourOfDay(addDays(calendarDay(sent, zone), reminder), hour, zone);
}
