import { describe, expect, it } from 'vitest';
import { average, type Tally } from '../feedback/tally.ts';
import { likelyMean } from './interval.ts';

/** Returns the interval as shares of the way from 1 to 5, as in tables of Wilson's interval. */
const shares = (ratings: Tally) => {
  const { from = 0, to = 0 } = likelyMean(ratings) ?? {};
  return [from, to].map((end) => Number(((end - 1) / 4).toFixed(4)));
};

describe('the interval of a mean', () => {
  it('is Wilson’s when all answers are at the two ends', () => {
    expect(shares([2, 0, 0, 0, 8])).toEqual([0.4902, 0.9433]);
    expect(shares([0, 0, 0, 0, 20])).toEqual([0.8389, 1]);
    expect(shares([10, 0, 0, 0, 0])).toEqual([0, 0.2775]);
    expect(shares([50, 0, 0, 0, 50])).toEqual([0.4038, 0.5962]);
  });

  it('is undefined without answers', () => {
    expect(likelyMean([0, 0, 0, 0, 0])).toBeUndefined();
  });

  it('contains the mean, stays between 1 and 5, has a width, and narrows with more answers', () => {
    let seed = 7;
    const roll = (sides: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % sides;
    };
    for (let round = 0; round < 500; round += 1) {
      const ratings: Tally = [roll(20), roll(20), roll(20), roll(20), 1 + roll(20)];
      const mean = average(ratings) ?? 0;
      const { from, to } = likelyMean(ratings) ?? { from: 0, to: 0 };
      expect(from).toBeGreaterThanOrEqual(1);
      expect(to).toBeLessThanOrEqual(5);
      expect(from).toBeLessThanOrEqual(mean);
      expect(to).toBeGreaterThanOrEqual(mean);
      const [one, two, three, four, five] = ratings;
      const narrower = likelyMean([4 * one, 4 * two, 4 * three, 4 * four, 4 * five]) ?? { from: 0, to: 9 };
      expect(narrower.to - narrower.from).toBeLessThan(to - from);
    }
  });

  it('contains the true mean in 95 of 100 draws or more, for any shares of the faces', () => {
    let seed = 11;
    const chance = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    for (const weights of [
      [0.04, 0.07, 0.14, 0.33, 0.42],
      [0.5, 0, 0, 0, 0.5],
      [0, 0, 0, 0.1, 0.9],
      [0.2, 0.2, 0.2, 0.2, 0.2],
    ]) {
      const truth = weights.reduce((sum, weight, place) => sum + weight * (place + 1), 0);
      let hits = 0;
      for (let draw = 0; draw < 2_000; draw += 1) {
        const ratings: Tally = [0, 0, 0, 0, 0];
        for (let answer = 0; answer < 30; answer += 1) {
          const roll = chance();
          const isPassed = (face: number) => weights.slice(0, face + 1).reduce((sum, weight) => sum + weight, 0) > roll;
          const face = [0, 1, 2, 3].find(isPassed) ?? 4;
          ratings[face] = (ratings[face] ?? 0) + 1;
        }
        const { from, to } = likelyMean(ratings) ?? { from: 9, to: 0 };
        if (from <= truth && truth <= to) hits += 1;
      }
      expect(hits / 2_000).toBeGreaterThan(0.94);
    }
  });
});
