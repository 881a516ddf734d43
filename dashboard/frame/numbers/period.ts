import { PREVIOUS } from '#contract/core/sentences.ts';
import { addDays, calendarDay, DAY, dateRange, isoDay, parseDay, type Range, rangeBefore, startOfDay } from '#contract/core/time.ts';
import type { Grain } from '#contract/feedback/feedback.ts';
import { NAMED_PERIODS, type NamedPeriod } from '#contract/feedback/filters.ts';
import { translatable } from '#contract/language/translate.ts';
import { t } from '../../language.ts';
import { day as dayOf } from '../../ui/format/time.ts';

/** A named period, or custom dates, both inclusive. */
export type Period = { readonly name: NamedPeriod } | { readonly name: 'own'; readonly from: string; readonly to: string };

export const NAMED_LABELS = translatable({ today: 'Today', week: 'Week', month: 'Month', all: 'All time' });

/** Returns the period for a heading, such as "Month" or "1 Nov 2026 – 15 Nov 2026". */
export function periodLabel(period: Period): string {
  if (period.name !== 'own') return t(NAMED_LABELS[period.name]);
  const [from, to] = [period.from, period.to].map(labelOf);
  return from === to ? `${from}` : `${from} – ${to}`;
}

const labelOf = (text: string): string => dayOf(Date.parse(`${text}T12:00:00`));

/** Returns the period's start and end (UTC ms); without `from` for all time. */
export function rangeOf(period: Period, now: number, zone: string): { from?: number; to: number } {
  if (period.name === 'own') return ownRange(period, zone);
  if (period.name === 'all') return { to: dateRange('today', now, zone).to };
  return dateRange(period.name, now, zone);
}

function ownRange({ from, to }: { readonly from: string; readonly to: string }, zone: string): Range {
  const [first, last] = [parseDay(from), parseDay(to)];
  if (!first || !last) throw new Error('A period was not read from the address');
  return { from: startOfDay(first, zone), to: startOfDay(addDays(last, 1), zone) };
}

/** Returns the preceding range of the same length; undefined for all time. */
export function beforeOf(period: Period, now: number, zone: string): Range | undefined {
  if (period.name === 'all') return undefined;
  if (period.name !== 'own') return rangeBefore(period.name, now, zone);
  const { from, to } = ownRange(period, zone);
  const first = calendarDay(from, zone);
  return { from: startOfDay(addDays(first, -Math.round((to - from) / DAY)), zone), to: from };
}

/** Returns what the period is compared with, such as "yesterday" or "the month before". */
export function beforeLabel(period: Period): string {
  if (period.name === 'all') return '';
  if (period.name === 'today') return t('yesterday');
  if (period.name !== 'own') return t(PREVIOUS[period.name]);
  const days = lengthOf(period);
  return days === 1 ? t(PREVIOUS.day) : t('the {days} days before', { days });
}

const lengthOf = ({ from, to }: { readonly from: string; readonly to: string }): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1;

/** Above this many days, a chart shows months. */
const MOST_DAYS = 92;

/** Returns the time that each bar of a chart covers. */
export const grainOf = ({ from, to }: Range): Grain => (to - from <= 2 * DAY ? 'hour' : to - from <= MOST_DAYS * DAY ? 'day' : 'month');

/** Returns the previous or next named period, or the same one at either end. Custom dates come between month and all time. */
export function adjacentPeriod({ name }: Period, by: 1 | -1): NamedPeriod {
  if (name === 'own') return by === 1 ? 'all' : 'month';
  return NAMED_PERIODS[NAMED_PERIODS.indexOf(name) + by] ?? name;
}

/** Returns the period's days for date fields; the first is empty for all time. */
export function daysOf(period: Period, now: number, zone: string): { readonly from: string; readonly to: string } {
  if (period.name === 'own') return period;
  const { from } = rangeOf(period, now, zone);
  return { from: from === undefined ? '' : isoDay(calendarDay(from, zone)), to: todayIn(zone, now) };
}

/** Returns today's date for a date field. */
export const todayIn = (zone: string, now: number): string => isoDay(calendarDay(now, zone));
