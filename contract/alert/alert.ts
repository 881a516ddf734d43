import * as v from 'valibot';
import { userIdSchema } from '../core/ids.ts';
import { addDays, calendarDay, HOUR, MINUTE, momentsOf, offset } from '../core/time.ts';

/* When people hear of urgent feedback, and who hears next (docs/rules.md#alerts). Pure, so that page and server say the same. */

/** Mails about urgent feedback that one person gets in an hour; what goes beyond comes in one digest. */
export const MOST_ALERTS = 12;
/** How much of what is told together is shown. */
export const MOST_IN_DIGEST = 10;
/** How many visitors who want to be contacted are shown in it. They come first. */
export const MOST_CONTACTS_IN_DIGEST = 50;
/** How much of what a visitor wrote is shown where there is little room, in characters as people see them. */
const LONGEST_FIRST_WORDS = 140;

/** How many people stand in the order of those who hear next. */
export const MOST_ESCALATED = 20;
/** After how many minutes the next one hears, at least and at most. */
const SHORTEST_ESCALATION = 5;
const LONGEST_ESCALATION = (24 * HOUR) / MINUTE;

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const time = v.pipe(v.string(), v.regex(TIME, 'Enter a time such as 22:00'));

/** Each day on the property's clock, over midnight where they end before they begin. */
const quietHours = v.strictObject({ from: time, to: time });
export type QuietHours = v.InferOutput<typeof quietHours>;

/** Who hears, one after the other, each so many minutes after the one before. */
const escalation = v.strictObject({ after: v.number(), to: v.array(userIdSchema) });
export type Escalation = v.InferOutput<typeof escalation>;

/** A property's, as they are kept. */
export const alertSettings = v.strictObject({ quiet: v.optional(quietHours), escalation: v.optional(escalation) });
export type AlertSettings = v.InferOutput<typeof alertSettings>;

const MINUTES_MESSAGE = `Please give ${SHORTEST_ESCALATION} to ${LONGEST_ESCALATION.toLocaleString('en-US')} minutes`;

/** Quiet hours as they are sent. */
export const chosenQuietHours = v.pipe(
  quietHours,
  v.forward(
    v.partialCheck([['from'], ['to']], ({ from, to }) => from !== to, 'Quiet hours must end at a different time than they start'),
    ['to'],
  ),
);

/** As they are sent, to be saved. Null: none any more. */
export const alertChanges = v.strictObject({
  quiet: v.optional(v.nullable(chosenQuietHours)),
  escalation: v.optional(
    v.nullable(
      v.strictObject({
        after: v.pipe(
          v.number(),
          v.integer(MINUTES_MESSAGE),
          v.minValue(SHORTEST_ESCALATION, MINUTES_MESSAGE),
          v.maxValue(LONGEST_ESCALATION, MINUTES_MESSAGE),
        ),
        to: v.pipe(
          v.array(userIdSchema),
          v.minLength(1, 'Choose at least one person'),
          v.maxLength(MOST_ESCALATED, `At most ${MOST_ESCALATED} people`),
          v.check((list) => new Set(list).size === list.length, 'Choose each person once'),
        ),
      }),
    ),
  ),
});
export type AlertChanges = v.InferOutput<typeof alertChanges>;

/** Settings after a change of them; undefined where nothing is set. */
export function changedAlerts(before: AlertSettings | undefined, { quiet, escalation }: AlertChanges): AlertSettings | undefined {
  const after = {
    quiet: quiet === undefined ? before?.quiet : quiet,
    escalation: escalation === undefined ? before?.escalation : escalation,
  };
  return nonEmptyAlerts({ ...(after.quiet && { quiet: after.quiet }), ...(after.escalation && { escalation: after.escalation }) });
}

/** What is left of settings when people have gone; undefined where nothing is. */
export function nonEmptyAlerts({ quiet, escalation }: AlertSettings): AlertSettings | undefined {
  const isEmpty = escalation === undefined || escalation.to.length === 0;
  if (isEmpty && quiet === undefined) return undefined;
  return { ...(quiet && { quiet }), ...(!isEmpty && { escalation }) };
}

/** Minutes since midnight. */
export function minutesOf(shown: string): number {
  const [hours = 0, minutes = 0] = shown.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Whether a moment (UTC ms) lies in quiet hours, on the clock of a zone. */
export function isQuiet({ from, to }: QuietHours, at: number, zone: string): boolean {
  const wall = new Date(at + offset(at, zone));
  const [now, begin, end] = [wall.getUTCHours() * 60 + wall.getUTCMinutes(), minutesOf(from), minutesOf(to)];
  return begin < end ? begin <= now && now < end : begin <= now || now < end;
}

/** When quiet hours end that a moment lies in: the next time that the clock shows it. */
export const quietUntil = ({ to }: QuietHours, at: number, zone: string): number => nextShown(to, at, zone);

/** The moment when so many minutes have passed outside quiet hours. */
export function afterLoudMinutes(minutes: number, at: number, { quiet, zone }: { quiet?: QuietHours | undefined; zone: string }): number {
  let left = minutes * MINUTE;
  let from = at;
  while (quiet) {
    if (isQuiet(quiet, from, zone)) from = quietUntil(quiet, from, zone);
    const begins = nextShown(quiet.from, from, zone);
    if (from + left <= begins) break;
    left -= begins - from;
    from = begins;
  }
  return from + left;
}

/** The next moment after this one at which the clocks show a time. */
function nextShown(shown: string, at: number, zone: string): number {
  const today = calendarDay(at, zone);
  const [next] = [0, 1, 2]
    .flatMap((days) => momentsOf(addDays(today, days), minutesOf(shown), zone))
    .filter((moment) => moment > at)
    .sort((a, b) => a - b);
  // Each of three days has one.
  return next as number;
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The beginning of what a visitor wrote, up to the end of a word where one is near. */
export function firstWords(said: string): string {
  const shown = [...characters.segment(said.slice(0, 8 * LONGEST_FIRST_WORDS))].map(({ segment }) => segment);
  if (shown.length <= LONGEST_FIRST_WORDS && said.length <= 8 * LONGEST_FIRST_WORDS) return said;
  const cut = shown.slice(0, LONGEST_FIRST_WORDS).join('');
  const word = cut.replace(/\s+\S*$/u, '');
  return `${word.length > cut.length / 2 ? word : cut}…`;
}
