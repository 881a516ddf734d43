import { DATE_LOCALES } from './team.ts';
import type { Translate } from './translate.ts';

/* Numbers and dates of the dashboard and of mails, in the language of `t`. */

type Language = Pick<Translate, 'language'>;

const formatters = new Map<string, Intl.NumberFormat>();

/** Returns a formatter, created once: creating one takes longer than formatting a list. */
function formatterIn(t: Language, name: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const language = t.language();
  const existing = formatters.get(`${language} ${name}`) ?? new Intl.NumberFormat(language, options);
  formatters.set(`${language} ${name}`, existing);
  return existing;
}

/** Returns a whole number such as "12,400". */
export const formatCount = (t: Language, count: number): string => formatterIn(t, 'count', {}).format(count);

/** Returns a number with one decimal, such as an average: "4.3". */
export const formatDecimal = (t: Language, value: number): string =>
  formatterIn(t, 'decimal', { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);

/** Returns whole percent, from 0 to 100: "43%". */
export const formatPercent = (t: Language, value: number): string =>
  formatterIn(t, 'percent', { style: 'percent', maximumFractionDigits: 0 }).format(value / 100);

/** Returns whole US dollars: "$240". */
export const formatDollars = (t: Language, amount: number): string =>
  formatterIn(t, 'dollars', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 }).format(amount);

/** Returns a moment (UTC ms) as these options say. */
export const formatDate = (t: Language, at: number, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(DATE_LOCALES[t.language()], options).format(at);
