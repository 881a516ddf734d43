import Papa from 'papaparse';
import * as v from 'valibot';
import { addDays, type CalendarDay, isoDay, MINUTE, momentsOf, parseDay } from '#contract/core/time.ts';
import { customerEmail, customerName, isNear, type NewRequest, VISIT_MESSAGE } from '#contract/feedback-request/feedback-request.ts';
import { languageOf } from '#contract/language/languages.ts';
import { t } from '../../../language.ts';
import { translatedMessage } from '../../../message.ts';

/* Reads a pasted list or a CSV file of customers. */

/** What a column contains. */
export const COLUMN_FIELDS = ['email', 'name', 'language', 'visited', 'none'] as const;
export type ColumnField = (typeof COLUMN_FIELDS)[number];

/** The most rows of a list. */
export const MOST_ROWS = 5_000;

/** A list as a table. */
export interface CustomerTable {
  /** The first row, if it's no customer's. */
  readonly headings: readonly string[] | undefined;
  readonly rows: readonly (readonly string[])[];
  readonly columns: number;
}

/** A row of a list; the first one that isn't a heading is 1. */
interface AcceptedRow {
  readonly row: number;
  readonly request: NewRequest;
}

interface ReadList {
  readonly accepted: readonly AcceptedRow[];
  readonly problems: readonly { readonly row: number; readonly message: string }[];
}

const isEmail = (text: string): boolean => v.is(customerEmail, text);

/** Parses a list, whose columns are separated by tabs, commas or semicolons. Leaves out empty rows. */
export function customerTable(text: string): CustomerTable {
  const { data } = Papa.parse<string[]>(text.trim(), { skipEmptyLines: 'greedy' });
  const rows = data.map((row) => row.map((cell) => cell.trim()));
  const [first = [], ...others] = rows;
  const hasHeadings = !first.some(isEmail) && others.some((row) => row.some(isEmail));
  return {
    headings: hasHeadings ? first : undefined,
    rows: hasHeadings ? others : rows,
    columns: Math.max(0, ...rows.map(({ length }) => length)),
  };
}

const HEADINGS: Partial<Record<ColumnField, RegExp>> = {
  name: /name|nom\b|nome|nombre|imi[eę]/i,
  language: /lang|sprache|idiom|langue|lingua/i,
  visited: /date|visit|stay|checkout|check-out|datum|fecha|data\b/i,
};

/** Returns what each column seems to contain: by its values, or else by its heading. */
export function guessFields({ headings = [], rows, columns }: CustomerTable): ColumnField[] {
  const fields = Array.from({ length: columns }, (): ColumnField => 'none');
  const shareOf = (column: number, isOne: (text: string) => boolean): number => {
    const cells = rows.map((row) => row[column] ?? '').filter(Boolean);
    return cells.length === 0 ? 0 : cells.filter(isOne).length / cells.length;
  };
  const assign = (field: ColumnField, isOne: (text: string) => boolean): void => {
    const free = fields.flatMap((taken, column) => (taken === 'none' ? [{ column, share: shareOf(column, isOne) }] : []));
    const [best] = free.sort((a, b) => b.share - a.share);
    const byHeading = free.find(({ column }) => HEADINGS[field]?.test(headings[column] ?? ''));
    const chosen = best && best.share > 0.5 ? best : byHeading;
    if (chosen) fields[chosen.column] = field;
  };
  assign('email', isEmail);
  assign('visited', (text) => datesIn(text).length > 0);
  assign('language', (text) => text.length <= 7 && languageOf(text) !== undefined);
  assign('name', (text) => /\p{L}{2}/u.test(text) && v.is(customerName, text));
  return fields;
}

/** Returns the rows as requests, and why others can't be. Later rows with an address that was in the list before are left out as repeated. */
export function readList({ rows }: CustomerTable, fields: readonly ColumnField[], { now, zone }: { now: number; zone: string }): ReadList {
  const order = dayOrder(rows.map((row) => cellOf(row, fields, 'visited')));
  const accepted: AcceptedRow[] = [];
  const problems: { row: number; message: string }[] = [];
  for (const [index, row] of rows.entries()) {
    const result = requestIn(row, fields, { order, now, zone });
    if (typeof result === 'string') problems.push({ row: index + 1, message: result });
    else accepted.push({ row: index + 1, request: result });
  }
  return { accepted, problems };
}

const cellOf = (row: readonly string[], fields: readonly ColumnField[], field: ColumnField): string => row[fields.indexOf(field)] ?? '';

interface RowContext {
  readonly order: DayOrder | undefined;
  readonly now: number;
  readonly zone: string;
}

/** Returns a row's request, or what's wrong with it. */
function requestIn(row: readonly string[], fields: readonly ColumnField[], { order, now, zone }: RowContext): NewRequest | string {
  const [email, name, language, date] = (['email', 'name', 'language', 'visited'] as const).map((field) => cellOf(row, fields, field));
  const address = v.safeParse(customerEmail, email);
  if (!address.success)
    return email === '' ? t('There is no email address') : t('“{email}” isn’t an email address', { email: email ?? '' });
  const called = v.safeParse(customerName, name);
  if (!called.success) return translatedMessage(called.issues[0].message);
  const tag = language === undefined || language === '' ? undefined : languageOf(language);
  if (language && !tag) return t('“{language}” isn’t a language of the form, such as “de”', { language });
  const visited = date ? visitOn(date, order, zone) : undefined;
  if (date && visited === undefined) return t('“{date}” isn’t a date, such as 2026-11-20', { date });
  if (visited !== undefined && !isNear(visited, now)) return translatedMessage(VISIT_MESSAGE);
  return {
    email: address.output,
    ...(called.output !== '' && { name: called.output }),
    ...(tag && { language: tag }),
    ...(visited !== undefined && { visited }),
  };
}

/* ── Dates: 2026-11-20, 20.11.2026, and 11/20/2026 or 20/11/2026 if the list shows which ── */

type DayOrder = 'day first' | 'month first';
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\b/;

/** Returns the order of day and month in dates with slashes; undefined if no date shows it, or if they contradict each other. */
function dayOrder(dates: readonly string[]): DayOrder | undefined {
  const parts = dates.flatMap((date) => {
    const [, first, second] = SLASHED.exec(date) ?? [];
    return first === undefined ? [] : [[Number(first), Number(second)] as const];
  });
  const [isDayFirst, isMonthFirst] = [parts.some(([first]) => first > 12), parts.some(([, second]) => second > 12)];
  return isDayFirst === isMonthFirst ? undefined : isDayFirst ? 'day first' : 'month first';
}

/** Returns the days that a date can mean: none, one, or two if its order isn't clear. */
function datesIn(text: string, order?: DayOrder): CalendarDay[] {
  const day = (year?: string, month = '', date = '') => parseDay(`${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`) ?? [];
  const [iso] = /^\d{4}-\d{2}-\d{2}(?=$|[ T])/.exec(text) ?? [];
  if (iso !== undefined) return [parseDay(iso) ?? []].flat();
  const [, dottedDay, dottedMonth, dottedYear] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})\b/.exec(text) ?? [];
  if (dottedYear !== undefined) return [day(dottedYear, dottedMonth, dottedDay)].flat();
  const [, first, second, year] = SLASHED.exec(text) ?? [];
  if (year === undefined) return [];
  return [
    ...(order === 'month first' ? [] : [day(year, second, first)]),
    ...(order === 'day first' ? [] : [day(year, first, second)]),
  ].flat();
}

/** Returns noon of a visit's day (UTC ms); undefined if the text is no date, or could be two. */
function visitOn(text: string, order: DayOrder | undefined, zone: string): number | undefined {
  const days = [...new Map(datesIn(text, order).map((date) => [isoDay(date), date])).values()];
  const [only] = days;
  return only && days.length === 1 ? momentsOf(addDays(only, 0), NOON / MINUTE, zone)[0] : undefined;
}

const NOON = 12 * 60 * MINUTE;
