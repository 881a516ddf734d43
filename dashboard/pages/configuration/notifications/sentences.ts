import type { Escalation, QuietHours } from '#contract/alert/alert.ts';
import { minutesOf } from '#contract/core/time.ts';
import { NO_ZONE_CLOCK, type Property } from '#contract/property/property.ts';

/* Sentences that explain the alert settings. */

interface WithTimeZone {
  readonly data: Pick<Property['data'], 'timeZone'>;
}

/** Returns the words for a property's time zone. */
export const clockOf = ({ data: { timeZone } }: WithTimeZone): string =>
  timeZone === undefined ? NO_ZONE_CLOCK : `the property’s time zone (${timeZone.replaceAll('_', ' ')})`;

/** Returns the explanation of quiet hours. */
export function quietSentence({ from, to }: QuietHours, property: WithTimeZone): string {
  const end = minutesOf(to) < minutesOf(from) ? `${to} the next day` : to;
  return `Every day from ${from} to ${end}, in ${clockOf(property)}. Alerts still unopened at ${to} are then sent as one email.`;
}

interface EscalationOrder extends Pick<Escalation, 'after'> {
  /** In order. */
  readonly names: readonly string[];
}

/** Returns a sentence for each step of the escalation. */
export function escalationSentences({ after, names }: EscalationOrder): string[] {
  return names.map((name, at) =>
    at === 0
      ? `If no one opens an alert within ${span(after)}, ${name} gets an email.`
      : `If it’s still unopened ${span(after)} later, ${name} gets one too.`,
  );
}

/** Returns minutes in words. */
export function span(minutes: number): string {
  const hours = minutes / 60;
  if (minutes < 60 || !Number.isInteger(hours)) return `${minutes} minutes`;
  return hours === 1 ? 'an hour' : `${hours} hours`;
}
