import { placesSentence } from '#contract/core/sentences.ts';
import { formatDate } from '#contract/language/formats.ts';
import type { Translate } from '#contract/language/translate.ts';
import type { ComparedPlaces, Moment, ReportDays, ReportMail } from '#contract/mail/mail.ts';
import type { KnownDevice } from '#contract/notification/device-name.ts';

/*
 * The values of mails in words, in the mail's language. An earlier version queued mails with English words in place of these values:
 * a string is shown as it is.
 */

/** A value, or its words as queued by an earlier version. */
type OrWords<Value> = Value | string;

/** Returns "Sunday, 22 November 2026 at 14:02", with "UTC" if the moment has no time zone. */
export function momentInWords(t: Translate, moment: OrWords<Moment>): string {
  if (typeof moment === 'string') return moment;
  const { at, zone } = moment;
  const words = formatDate(t, at, { dateStyle: 'full', timeStyle: 'short', timeZone: zone ?? 'UTC' });
  return zone === undefined ? `${words} UTC` : words;
}

/** Returns "14 November 2026, 14:02". */
export function shortMomentInWords(t: Translate, moment: OrWords<Moment>): string {
  if (typeof moment === 'string') return moment;
  const { at, zone: timeZone = 'UTC' } = moment;
  return `${formatDate(t, at, { dateStyle: 'long', timeZone })}, ${formatDate(t, at, { timeStyle: 'short', timeZone })}`;
}

interface PeriodOfReport {
  readonly kind: ReportMail['kind'];
  readonly period: OrWords<ReportDays>;
}

/** Returns "Monday 16 to Sunday 22 November 2026", "Sunday 22 November 2026" or "November 2026". */
export function periodInWords(t: Translate, { kind, period }: PeriodOfReport): string {
  if (typeof period === 'string') return period;
  const { firstDay, lastDay } = period;
  if (kind === 'monthly') return dayPart(t, lastDay, { month: 'long', year: 'numeric' });
  const to = dayWithWeekday(t, lastDay, { day: 'numeric', month: 'long', year: 'numeric' });
  if (kind === 'daily') return to;
  if (!isSame(firstDay, lastDay, 'yyyy'))
    return t('{from} to {to}', { from: dayWithWeekday(t, firstDay, { day: 'numeric', month: 'long', year: 'numeric' }), to });
  if (!isSame(firstDay, lastDay, 'yyyy-mm'))
    return t('{from} to {to}', { from: dayWithWeekday(t, firstDay, { day: 'numeric', month: 'long' }), to });
  const [weekday, day] = [dayPart(t, firstDay, { weekday: 'long' }), dayPart(t, firstDay, { day: 'numeric' })];
  return t('{from} to {to}', { from: t('{weekday} {day}', { weekday, day }), to });
}

const isSame = (a: string, b: string, part: string): boolean => a.slice(0, part.length) === b.slice(0, part.length);

const dayPart = (t: Translate, day: string, options: Intl.DateTimeFormatOptions): string =>
  formatDate(t, Date.parse(day), { ...options, timeZone: 'UTC' });

const dayWithWeekday = (t: Translate, day: string, options: Intl.DateTimeFormatOptions): string =>
  t('{weekday} {date}', { weekday: dayPart(t, day, { weekday: 'long' }), date: dayPart(t, day, options) });

/** Returns "Chrome on Windows". */
export function deviceInWords(t: Translate, device: OrWords<KnownDevice>): string {
  if (typeof device === 'string') return device;
  const { browser, system } = device;
  if (browser !== undefined && system !== undefined) return t('{browser} on {system}', { browser, system });
  return browser ?? system ?? t('a browser that we don’t know');
}

/** Returns the sentence that compares all properties, which an earlier version queued as `said`. */
export const comparisonInWords = (t: Translate, places: ComparedPlaces | { readonly said: string }): string =>
  'said' in places ? places.said : placesSentence(t, { ranked: places.ends, unranked: [] });
