import { expect, it } from 'vitest';
import { exactly, resultsOf, shownOf, totalFrom, waitingInWords } from './total.ts';

const PAGE = { rows: Array.from({ length: 25 }), hasMore: true };
const NONE = { count: 0 };

it('words the number of results, with thousands separators', () => {
  expect(resultsOf({ rows: [1], hasMore: false }, undefined, NONE)).toBe('1 result');
  expect(resultsOf(PAGE, undefined, NONE)).toBe('25 or more results');
  expect(resultsOf(PAGE, totalFrom(1_204), NONE)).toBe('1,204 results');
  expect(resultsOf(PAGE, totalFrom(1_204), { count: 3 })).toBe('1,201 results');
  expect(resultsOf(PAGE, totalFrom(10_000), NONE)).toBe('10,000 results');
  expect(resultsOf(PAGE, totalFrom(10_001), NONE)).toBe('10,000+ results');
  expect(resultsOf(PAGE, exactly(23_456), NONE)).toBe('23,456 results');
  expect(resultsOf(PAGE, totalFrom(20), NONE)).toBe('25 or more results');
});

it('words how many rows are shown', () => {
  expect(shownOf(PAGE.rows, undefined)).toBe('25 shown');
  expect(shownOf(PAGE.rows, totalFrom(1_204))).toBe('25 of 1,204');
  expect(shownOf(PAGE.rows, totalFrom(10_001))).toBe('25 of 10,000+');
});

it('words how many visitors are waiting', () => {
  expect(waitingInWords(exactly(0))).toBe('No one is waiting');
  expect(waitingInWords(exactly(1))).toBe('One visitor is waiting');
  expect(waitingInWords(totalFrom(1_204))).toBe('1,204 visitors are waiting, longest first');
  expect(waitingInWords(totalFrom(10_001))).toBe('10,000+ visitors are waiting, longest first');
});
