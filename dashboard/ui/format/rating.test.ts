import { expect, it } from 'vitest';
import { RATING_WORDS, RATINGS } from '#contract/feedback/rating.ts';
import { ratingWord } from './rating.ts';

it('has the words that are used outside the dashboard', () => {
  expect(RATINGS.map(ratingWord)).toEqual(RATINGS.map((rating) => RATING_WORDS[rating]));
});
