import * as v from 'valibot';
import { userIdSchema } from '../core/ids.ts';
import { timeOfDay } from '../core/schema.ts';
import { addDays, calendarDay, HOUR, MINUTE, minutesOf, momentsOf, offset } from '../core/time.ts';

/* Quiet hours and escalation of alerts about urgent feedback (docs/rules.md#alerts). Pure, so that the dashboard and the server agree. */

/** The most emails about urgent feedback that one person gets in an hour; the rest arrives as one digest. @limit alerts */
export const MOST_ALERTS = 12;
/** The most feedback items shown in a digest. @limit alerts */
export const MOST_IN_DIGEST = 10;
/** The most visitors who want to be contacted shown in a digest. They come first. @limit alerts */
export const MOST_CONTACTS_IN_DIGEST = 50;
/** The longest excerpt of a visitor's text, in characters as people see them. */
const LONGEST_FIRST_WORDS = 140;

/** The most people in an escalation. @limit escalation */
export const MOST_ESCALATED = 20;
/** Bounds of the wait before the next person is alerted, in minutes. @limit escalation */
const SHORTEST_ESCALATION = 5;
const LONGEST_ESCALATION = (24 * HOUR) / MINUTE;

/** Daily by the property's clock; across midnight if they end before they start. */
const quietHours = v.strictObject({ from: timeOfDay, to: timeOfDay });
export type QuietHours = v.InferOutput<typeof quietHours>;

/** The people to alert in turn, each `after` minutes after the previous one. */
const escalation = v.strictObject({ after: v.number(), to: v.array(userIdSchema) });
export type Escalation = v.InferOutput<typeof escalation>;

/** A property's alert settings as stored. */
export const alertSettings = v.strictObject({ quiet: v.optional(quietHours), escalation: v.optional(escalation) });
export type AlertSettings = v.InferOutput<typeof alertSettings>;

const MINUTES_MESSAGE = `Enter ${SHORTEST_ESCALATION} to ${LONGEST_ESCALATION.toLocaleString('en-US')} minutes`;

/** Quiet hours as a client sends them. */
export const chosenQuietHours = v.pipe(
  quietHours,
  v.forward(
    v.partialCheck([['from'], ['to']], ({ from, to }) => from !== to, 'Quiet hours must end at a different time than they start'),
    ['to'],
  ),
);

/** Alert settings as a client sends them. Null removes one. */
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

/** Returns the settings after a change; undefined if none are left. */
export function changedAlerts(before: AlertSettings | undefined, { quiet, escalation }: AlertChanges): AlertSettings | undefined {
  const after = {
    quiet: quiet === undefined ? before?.quiet : quiet,
    escalation: escalation === undefined ? before?.escalation : escalation,
  };
  return nonEmptyAlerts({ ...(after.quiet && { quiet: after.quiet }), ...(after.escalation && { escalation: after.escalation }) });
}

/** Returns the settings without an escalation that has lost all its people; undefined if none are left. */
export function nonEmptyAlerts({ quiet, escalation }: AlertSettings): AlertSettings | undefined {
  const isEmpty = escalation === undefined || escalation.to.length === 0;
  if (isEmpty && quiet === undefined) return undefined;
  return { ...(quiet && { quiet }), ...(!isEmpty && { escalation }) };
}

/** Returns whether a moment (UTC ms) is in quiet hours, by the clock of a zone. */
export function isQuiet({ from, to }: QuietHours, at: number, zone: string): boolean {
  const wall = new Date(at + offset(at, zone));
  const [now, start, end] = [wall.getUTCHours() * 60 + wall.getUTCMinutes(), minutesOf(from), minutesOf(to)];
  return start < end ? start <= now && now < end : start <= now || now < end;
}

/** Returns when the quiet hours around a moment end: the next time the clock shows their end. */
export const quietUntil = ({ to }: QuietHours, at: number, zone: string): number => nextShown(to, at, zone);

/** Returns the moment when this many minutes have passed outside quiet hours. */
export function afterLoudMinutes(minutes: number, at: number, { quiet, zone }: { quiet?: QuietHours | undefined; zone: string }): number {
  let remaining = minutes * MINUTE;
  let from = at;
  while (quiet) {
    if (isQuiet(quiet, from, zone)) from = quietUntil(quiet, from, zone);
    const quietStart = nextShown(quiet.from, from, zone);
    if (from + remaining <= quietStart) break;
    remaining -= quietStart - from;
    from = quietStart;
  }
  return from + remaining;
}

/** Returns the first moment after this one at which the clocks show a time. */
function nextShown(time: string, at: number, zone: string): number {
  const today = calendarDay(at, zone);
  const [next] = [0, 1, 2]
    .flatMap((days) => momentsOf(addDays(today, days), minutesOf(time), zone))
    .filter((moment) => moment > at)
    .sort((a, b) => a - b);
  // Each of the three days has at least one.
  return next as number;
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the beginning of a visitor's text, cut after a whole word if that keeps at least half of it. */
export function firstWords(text: string): string {
  const graphemes = [...characters.segment(text.slice(0, 8 * LONGEST_FIRST_WORDS))].map(({ segment }) => segment);
  if (graphemes.length <= LONGEST_FIRST_WORDS && text.length <= 8 * LONGEST_FIRST_WORDS) return text;
  const cut = graphemes.slice(0, LONGEST_FIRST_WORDS).join('');
  const wholeWords = cut.replace(/\s+\S*$/u, '');
  return `${wholeWords.length > cut.length / 2 ? wholeWords : cut}…`;
}
