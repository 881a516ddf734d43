import { expect, it } from 'vitest';
import { retentionStart } from './privacy.ts';

it.each([
  ['2026-11-27', 1, '2026-10-27'],
  ['2026-03-31', 1, '2026-02-28'],
  ['2028-05-31', 3, '2028-02-29'],
  ['2026-01-15', 14, '2024-11-15'],
])('on %s, %i months begin on %s', (today, months, start) => {
  expect(retentionStart(Date.parse(`${today}T18:00:00Z`), months)).toBe(Date.parse(start));
});
