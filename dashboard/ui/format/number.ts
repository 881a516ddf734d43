import * as formats from '#contract/language/formats.ts';
import { t } from '../../language.ts';

/* Numbers in the dashboard's language. */

/** Returns a whole number such as "12,400". */
export const formatCount = (count: number): string => formats.formatCount(t, count);

/** Returns a number with one decimal, such as an average: "4.3". */
export const decimal = (value: number): string => formats.formatDecimal(t, value);

/** Returns whole percent, from 0 to 100: "43%". */
export const percent = (value: number): string => formats.formatPercent(t, value);
