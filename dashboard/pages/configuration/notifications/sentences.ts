import { type Escalation, minutesOf, type QuietHours } from '#contract/alert/alert.ts';
import { NO_ZONE_CLOCK, type Property } from '#contract/property/property.ts';

/* What settings of alerts will do, in sentences. */

interface OnItsClock {
  readonly data: Pick<Property['data'], 'timeZone'>;
}

/** Whose clock something goes by. */
export const clockOf = ({ data: { timeZone } }: OnItsClock): string =>
  timeZone === undefined ? NO_ZONE_CLOCK : `the property’s time zone (${timeZone.replaceAll('_', ' ')})`;

/** What happens in quiet hours. */
export function quietSentence({ from, to }: QuietHours, property: OnItsClock): string {
  const end = minutesOf(to) < minutesOf(from) ? `${to} the next day` : to;
  return `Every day from ${from} to ${end}, in ${clockOf(property)}. Alerts that nobody has opened by ${to} are sent as one email then.`;
}

interface EscalationOrder extends Pick<Escalation, 'after'> {
  /** By name, in order. */
  readonly names: readonly string[];
}

/** Who hears when nobody opens an alert. */
export function escalationSentences({ after, names }: EscalationOrder): string[] {
  return names.map((name, at) =>
    at === 0
      ? `When nobody has opened an alert after ${span(after)}, ${name} gets an email.`
      : `When nobody has opened it ${span(after)} later, ${name} does.`,
  );
}

/** Minutes in words. */
export function span(minutes: number): string {
  const hours = minutes / 60;
  if (minutes < 60 || !Number.isInteger(hours)) return `${minutes} minutes`;
  return hours === 1 ? 'an hour' : `${hours} hours`;
}
