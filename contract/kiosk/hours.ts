import * as v from 'valibot';
import { timeOfDay } from '../core/schema.ts';
import { MINUTE, minutesOf, offset } from '../core/time.ts';
import { translatable } from '../language/translate.ts';

/* The opening hours of a kiosk, by the clock of its property. */

/** A day's hours, past midnight if they end before they start. Null: closed. */
const dayHours = v.nullable(v.strictObject({ from: timeOfDay, to: timeOfDay }));

/** The names of the days in the order of the hours. */
export const WEEKDAYS = translatable(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']);

/** The hours of Monday to Sunday. */
export const openingHours = v.tuple([dayHours, dayHours, dayHours, dayHours, dayHours, dayHours, dayHours]);
export type OpeningHours = v.InferOutput<typeof openingHours>;

/** Opening hours as a client sends them. */
export const chosenHours = v.pipe(
  openingHours,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const [key, day] of dataset.value.entries())
      if (day && day.from === day.to)
        addIssue({
          message: 'Enter a closing time that differs from the opening time',
          path: [
            { type: 'array', origin: 'value', input: dataset.value, key, value: day },
            { type: 'object', origin: 'value', input: day, key: 'to', value: day.to },
          ],
        });
  }),
);

const everyDay = { from: '09:00', to: '18:00' };
export const DEFAULT_HOURS: OpeningHours = [everyDay, everyDay, everyDay, everyDay, everyDay, everyDay, everyDay];

/** Returns whether a moment (UTC ms) is in opening hours, by the clock of a zone. */
export function isOpenAt(hours: OpeningHours, at: number, zone: string): boolean {
  const wall = new Date(at + offset(at, zone));
  const minutes = wall.getUTCHours() * 60 + wall.getUTCMinutes();
  // Days of JavaScript start on Sunday.
  const today = (wall.getUTCDay() + 6) % 7;
  const [day, dayBefore] = [hours[today], hours[(today + 6) % 7]];
  return (day != null && isWithinDay(day, minutes)) || (dayBefore != null && isOvernight(dayBefore) && minutes < minutesOf(dayBefore.to));
}

interface Hours {
  readonly from: string;
  readonly to: string;
}

const isWithinDay = (day: Hours, minutes: number): boolean =>
  minutesOf(day.from) <= minutes && (isOvernight(day) || minutes < minutesOf(day.to));

const isOvernight = ({ from, to }: Hours): boolean => minutesOf(to) <= minutesOf(from);

/** How long a kiosk may be silent (ms). It reports once a minute. @limit kiosks */
export const SILENCE = 15 * MINUTE;

/** Returns whether a kiosk that reported last at `seen` is silent although it should be on (UTC ms). It may start after opening. */
export const isSilent = (hours: OpeningHours, { seen, now, zone }: { seen: number; now: number; zone: string }): boolean =>
  now - seen > SILENCE && isOpenAt(hours, now, zone) && isOpenAt(hours, now - SILENCE, zone);
