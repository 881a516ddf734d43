import { expect, it } from 'vitest';
import { openRandom } from './random.ts';

it('returns bytes of any size, and never changes or repeats those it returned', () => {
  const random = openRandom();
  const sizes = Array.from({ length: 2_000 }, (_, index) => 16 + (index % 40));
  const [results, copies] = [sizes.map(random), [] as string[]];
  for (const bytes of results) copies.push(Buffer.from(bytes).toString('hex'));
  for (const size of sizes) random(size);
  expect(results.map((bytes) => Buffer.from(bytes).toString('hex'))).toEqual(copies);
  expect(results.map(({ length }) => length)).toEqual(sizes);
  expect(new Set(copies).size).toBe(copies.length);
  expect(random(5_000)).toHaveLength(5_000);
});
