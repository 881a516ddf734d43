import * as v from 'valibot';
import { propertyIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { okOrNotFound } from '../core/schema.ts';
import { addDays, type CalendarDay, calendarDay, hourOfDay, isoDay, parseDay, type Range, startOfDay } from '../core/time.ts';
import { event } from '../event/event.ts';

/** How often reports on a property are sent. Each kind has its own recipients (docs/rules.md#reports). */
export const REPORT_KINDS = ['daily', 'weekly', 'monthly'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** The hour at which reports are due, by the property's clock. */
const REPORT_HOUR = 7;
/** On how many days a report may be sent before it is skipped; a weekly one from Monday to Wednesday. */
export const REPORT_DAYS: Readonly<Record<ReportKind, number>> = { daily: 1, weekly: 3, monthly: 3 };
/** A report's period of the calendar; times are UTC ms, and `to` is exclusive. */
export interface ReportPeriod extends Range {
  readonly kind: ReportKind;
  /** `yyyy-mm-dd`. */
  readonly firstDay: string;
  readonly lastDay: string;
  /** When the report is due, and from when on it is skipped. */
  readonly due: number;
  readonly until: number;
}

/** Returns the period that starts on a day in a zone. Throws if that isn't a day. */
export function reportPeriod(kind: ReportKind, firstDay: string, zone: string): ReportPeriod {
  const first = parseDay(firstDay);
  if (!first) throw new Error('Enter the day a period starts');
  const next = nextFirstDay(kind, first);
  return {
    kind,
    firstDay,
    lastDay: isoDay(addDays(next, -1)),
    from: startOfDay(first, zone),
    to: startOfDay(next, zone),
    due: hourOfDay(next, REPORT_HOUR, zone),
    until: startOfDay(addDays(next, REPORT_DAYS[kind]), zone),
  };
}

/** Returns the last period that had ended at a moment. */
export const lastPeriod = (kind: ReportKind, now: number, zone: string): ReportPeriod =>
  reportPeriod(kind, isoDay(before(kind, firstOf(kind, calendarDay(now, zone)))), zone);

/** Returns the period whose report is due next: the last one that has ended, until its report is due. */
export function comingPeriod(kind: ReportKind, now: number, zone: string): ReportPeriod {
  const last = lastPeriod(kind, now, zone);
  return last.due > now ? last : nextPeriod(last, zone);
}

export const nextPeriod = ({ kind, lastDay }: ReportPeriod, zone: string): ReportPeriod =>
  reportPeriod(kind, isoDay(addDays(parseDay(lastDay) ?? NO_DAY, 1)), zone);

/** Returns the period before, for comparison. */
export const periodBefore = ({ kind, firstDay }: ReportPeriod, zone: string): ReportPeriod =>
  reportPeriod(kind, isoDay(before(kind, parseDay(firstDay) ?? NO_DAY)), zone);

const NO_DAY: CalendarDay = { year: 1970, month: 1, day: 1 };

/** Returns the first day of the period that a day is in. Weeks start on Monday. */
function firstOf(kind: ReportKind, day: CalendarDay): CalendarDay {
  if (kind === 'daily') return day;
  if (kind === 'monthly') return { ...day, day: 1 };
  const weekday = new Date(Date.UTC(day.year, day.month - 1, day.day)).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

const nextFirstDay = (kind: ReportKind, first: CalendarDay): CalendarDay =>
  kind === 'monthly' ? addDays({ ...first, month: first.month + 1 }, 0) : addDays(first, kind === 'daily' ? 1 : 7);

const before = (kind: ReportKind, first: CalendarDay): CalendarDay =>
  kind === 'monthly' ? addDays({ ...first, month: first.month - 1 }, 0) : addDays(first, kind === 'daily' ? -1 : -7);

export const reportOperations = {
  send: operation({
    access: 'member',
    summary: 'Email a property’s last daily, weekly or monthly report to the caller’s own address.',
    refusals: { 'too-many': 'At most ten an hour.' },
    input: v.strictObject({ propertyId: propertyIdSchema, kind: v.optional(v.picklist(REPORT_KINDS), 'weekly') }),
    answer: okOrNotFound({}),
  }),
};

export const reportExamples: Examples<typeof reportOperations> = { send: ({ propertyId }) => ({ propertyId, kind: 'weekly' }) };

const reportEntries = { kind: v.picklist(REPORT_KINDS), firstDay: v.string() };

export const reportEvents = {
  'report.requested': event({
    seenBy: 'admin',
    summary: 'A teammate requested a property’s report.',
    data: v.strictObject({ kind: v.picklist(REPORT_KINDS) }),
  }),
  'report.made': event({
    seenBy: 'admin',
    summary: 'A property’s daily, weekly or monthly report was sent.',
    data: v.strictObject({ ...reportEntries, people: v.number() }),
  }),
};
