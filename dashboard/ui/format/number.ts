import { languageShown } from '../../language.ts';

/* Numbers in the dashboard's language. */

const formatters = new Map<string, Intl.NumberFormat>();

/** Returns a formatter, created once: creating one takes longer than formatting a list. */
function formatter(name: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const language = languageShown();
  const existing = formatters.get(`${language} ${name}`) ?? new Intl.NumberFormat(language, options);
  formatters.set(`${language} ${name}`, existing);
  return existing;
}

/** Returns a whole number such as "12,400". */
export const formatCount = (count: number): string => formatter('count', {}).format(count);

/** Returns a number with one decimal, such as an average: "4.3". */
export const decimal = (value: number): string =>
  formatter('decimal', { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);

/** Returns whole percent, from 0 to 100: "43%". */
export const percent = (value: number): string => formatter('percent', { style: 'percent', maximumFractionDigits: 0 }).format(value / 100);
