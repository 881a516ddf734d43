import { describe, expect, it } from 'vitest';
import type { Tally } from '../feedback/tally.ts';
import { translator } from '../language/translate.ts';
import { FEWEST_RANKED } from './interval.ts';
import {
  averageSentence,
  countSentence,
  funnelSentence,
  percentOf,
  placesSentence,
  type RatedPlace,
  rankPlaces,
  readSentence,
} from './sentences.ts';

const t = translator(() => ({ language: 'en' }));

const place = (name: string, ratings: Tally): RatedPlace => ({ id: name, name, ratings });

describe('the sentences', () => {
  it('compare a count with the previous period, if there is one', () => {
    const than = 'the month before';
    expect(countSentence(t, { ratings: [0, 0, 0, 0, 1_200], before: [0, 0, 0, 0, 100], than })).toBe(
      '1,200 ratings, 1,100 more than the month before.',
    );
    expect(countSentence(t, { ratings: [1, 0, 0, 0, 0], before: [3, 0, 0, 0, 0], than })).toBe('1 rating, 2 fewer than the month before.');
    expect(countSentence(t, { ratings: [1, 0, 0, 0, 0], before: [1, 0, 0, 0, 0], than })).toBe('1 rating, as many as the month before.');
    expect(countSentence(t, { ratings: [1, 0, 0, 0, 0], before: undefined, than: '' })).toBe('1 rating.');
    expect(averageSentence(t, { ratings: [0, 0, 0, 0, 1], before: [0, 0, 0, 1, 0], than })).toBe(
      'On average, up 1.0 from the month before.',
    );
    expect(averageSentence(t, { ratings: [0, 0, 0, 0, 1], before: [0, 0, 0, 0, 0], than })).toBe('On average.');
  });

  it('state the results of the openings, without shares that make no sense', () => {
    expect(funnelSentence(t, { views: 200, ratings: 128, reviews: 16 })).toBe(
      'The form was opened 200 times. 128 ratings came from that (64%). 16 opened a review link (13%).',
    );
    expect(funnelSentence(t, { views: 1, ratings: 0, reviews: 0 })).toBe('The form was opened once. No one rated.');
    expect(funnelSentence(t, { views: 3, ratings: 5, reviews: 0 })).toBe(
      'The form was opened 3 times. 5 ratings came from that. None opened a review link.',
    );
    expect(funnelSentence(t, { views: 0, ratings: 5, reviews: 0 })).toContain('No one opened a form. 5 ratings came in.');
  });

  it('rank no place with too few ratings, and state whether a difference may be chance', () => {
    const unranked = place('Kiosk', [0, 0, 0, 0, FEWEST_RANKED - 1]);
    const [good, bad, near] = [
      place('Pier', [0, 0, 0, 0, FEWEST_RANKED]),
      place('Old Town', [FEWEST_RANKED, 0, 0, 0, 0]),
      place('Quay', [0, 0, 1, 3, 16]),
    ];
    expect(rankPlaces([unranked, bad, good])).toEqual({ ranked: [good, bad], unranked: [unranked] });
    expect(placesSentence(t, rankPlaces([unranked]), 'staff')).toBe(
      `Staff members need ${FEWEST_RANKED} ratings to be compared. None has that many in this period.`,
    );
    expect(placesSentence(t, rankPlaces([unranked, good]))).toContain('Only Pier has that many');
    expect(placesSentence(t, rankPlaces([unranked, good, bad]))).toBe(
      'Pier has the highest average, 5.0, and Old Town the lowest, 1.0. That is more than chance.',
    );
    expect(placesSentence(t, rankPlaces([good, near]))).toBe(
      'The averages lie between 4.8 and 5.0. With this few ratings, the order may be chance.',
    );
  });

  it('state a share in whole percent', () => {
    expect(percentOf(1, [1, 2, 0, 0, 0])).toBe(33);
    expect(percentOf(0, [0, 0, 0, 0, 0])).toBe(0);
  });

  it('state how much was read', () => {
    expect(readSentence(t, { read: 0, hasMore: false })).toBe('No one wrote anything in this period.');
    expect(readSentence(t, { read: 1, hasMore: false })).toBe('From the one piece of feedback with words in this period.');
    expect(readSentence(t, { read: 2_000, hasMore: true })).toBe('From the latest 2,000 pieces of feedback with words in this period.');
  });
});
