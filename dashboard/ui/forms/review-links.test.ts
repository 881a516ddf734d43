import { describe, expect, it } from 'vitest';
import { chosenServices, linkProblem, typedLinks } from './review-links.ts';

describe('links to review services', () => {
  it('are checked only if filled in', () => {
    expect(linkProblem('Google', '')).toBeUndefined();
    expect(linkProblem('Google', 'https://www.google.com/maps')).toBe('Please paste the link of your review page at Google');
    expect(linkProblem('Google', 'g.page/r/x')).toBeUndefined();
    expect(linkProblem('Yelp', 'https://m.yelp.com/biz/x')).toBeUndefined();
  });

  it('are sent in a fixed order, and round-trip', () => {
    const sent = [
      { name: 'Google', url: 'https://g.page/r/x' },
      { name: 'Yelp', url: 'https://yelp.com/biz/x' },
    ] as const;
    expect(chosenServices({ Yelp: 'https://yelp.com/biz/x ', Google: 'https://g.page/r/x' })).toEqual(sent);
    expect(chosenServices(typedLinks(sent))).toEqual(sent);
    expect(chosenServices({})).toEqual([]);
  });
});
