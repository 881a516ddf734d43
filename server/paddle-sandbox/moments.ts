import type { ITimePeriod } from '@paddle/paddle-node-sdk';

const DAY = 86_400_000;
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** UTC microseconds as Paddle writes them: RFC 3339, and zeros at the end of the fraction are left away. */
export function momentAt(microseconds: number): string {
  const fraction = String(microseconds % 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${new Date(Math.floor(microseconds / 1000)).toISOString().slice(0, 19)}${fraction && `.${fraction}`}Z`;
}

/** UTC ms as a moment. */
export const momentOf = (milliseconds: number): string => momentAt(milliseconds * 1000);

/** A moment in UTC ms. */
export const millisecondsOf = (moment: string): number => Date.parse(moment);

/** The 26 letters of an id: the time first, so that ids sort as they were made. `bytes` holds 14 at random. */
export function idLetters(microseconds: number, bytes: Uint8Array): string {
  const time = encoded(Math.floor(microseconds / 1000), 10) + encoded(microseconds % 1000, 2);
  return time + [...bytes.subarray(0, 14)].map((byte) => DIGITS[byte % DIGITS.length]).join('');
}

function encoded(number: number, length: number): string {
  const digits = Array.from({ length }, (_, place) => DIGITS[Math.floor(number / DIGITS.length ** place) % DIGITS.length]);
  return digits.reverse().join('');
}

/** Later by some cycles (UTC ms). A month that is too short ends on its last day: January 31, February 28. */
export function addCycles(from: number, { interval, frequency }: ITimePeriod, cycles = 1): number {
  const count = frequency * cycles;
  if (interval === 'day' || interval === 'week') return from + count * (interval === 'week' ? 7 : 1) * DAY;
  const date = new Date(from);
  const month = date.getUTCMonth() + count * (interval === 'year' ? 12 : 1);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return new Date(from).setUTCFullYear(date.getUTCFullYear(), month, Math.min(date.getUTCDate(), lastDay));
}

/**
 * The first date after `after` on which a subscription is billed (UTC ms). Counted from its anchor, never from the date before:
 * from January 31 that is February 28, then March 31.
 */
export function nextBillingDate(anchor: number, cycle: ITimePeriod, after: number): number {
  let cycles = 1;
  while (addCycles(anchor, cycle, cycles) <= after) cycles += 1;
  return addCycles(anchor, cycle, cycles);
}
