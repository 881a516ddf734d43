import type { Escalation, QuietHours } from '#contract/alert/alert.ts';
import { minutesOf } from '#contract/core/time.ts';
import { NO_ZONE_CLOCK, type Property } from '#contract/property/property.ts';
import { t } from '../../../language.ts';

/* Sentences that explain the alert settings. */

interface WithTimeZone {
  readonly data: Pick<Property['data'], 'timeZone'>;
}

/** Returns the words for a property's time zone. */
export const clockOf = ({ data: { timeZone } }: WithTimeZone): string =>
  timeZone === undefined ? NO_ZONE_CLOCK : t('the property’s time zone ({zone})', { zone: timeZone.replaceAll('_', ' ') });

/** Returns the explanation of quiet hours. */
export function quietSentence({ from, to }: QuietHours, property: WithTimeZone): string {
  const words = { from, to, clock: clockOf(property) };
  const span =
    minutesOf(to) < minutesOf(from)
      ? t('Every day from {from} to {to} the next day, in {clock}.', words)
      : t('Every day from {from} to {to}, in {clock}.', words);
  return `${span} ${t('Alerts still unopened at {to} are then sent as one email.', { to })}`;
}

interface EscalationOrder extends Pick<Escalation, 'after'> {
  /** In order. */
  readonly names: readonly string[];
}

/** Returns a sentence for each step of the escalation. */
export function escalationSentences({ after, names }: EscalationOrder): string[] {
  return names.map((name, at) =>
    at === 0
      ? t('If no one opens an alert within {span}, {name} gets an email.', { span: span(after), name })
      : t('If it’s still unopened {span} later, {name} gets one too.', { span: span(after), name }),
  );
}

/** Returns minutes in words. */
export function span(minutes: number): string {
  const hours = minutes / 60;
  if (minutes < 60 || !Number.isInteger(hours)) return t.count(minutes, '{count} minute', '{count} minutes');
  return t.count(hours, 'an hour', '{count} hours');
}
