import { describe, expect, it } from 'vitest';
import { type FirstPlace, linkProblem, missingOf, servicesOf } from './get-started.ts';

const place = (given: Partial<FirstPlace> = {}): FirstPlace => ({
  businessName: 'Café Åland',
  links: {},
  inviteToReview: 'good',
  ...given,
});

describe('Go to my dashboard', () => {
  it('needs a business name, in any letters, and no review service', () => {
    expect(missingOf(place())).toBeUndefined();
    expect(missingOf(place({ businessName: '' }))).toBe('Enter your business name.');
    expect(missingOf(place({ businessName: '  ' }))).toBe('Enter your business name.');
  });

  it('needs the link of each service that is chosen', () => {
    expect(missingOf(place({ links: { Yelp: '' } }))).toBe('Paste your Yelp link, or take Yelp off.');
    expect(missingOf(place({ links: { Google: 'https://www.yelp.com/biz/x' } }))).toBe('Paste your Google link, or take Google off.');
    expect(missingOf(place({ links: { Google: ' https://g.page/r/x/review ' } }))).toBeUndefined();
  });

  it('says what is wrong with a link once there is one', () => {
    expect(linkProblem('Google', '')).toBeUndefined();
    expect(linkProblem('Google', 'g.page/r/x')).toBe('Please paste the https link of your page at Google');
    expect(linkProblem('Yelp', 'https://m.yelp.com/biz/x')).toBeUndefined();
  });

  it('sends what was chosen, in order', () => {
    const links = { Yelp: 'https://yelp.com/biz/x ', Google: 'https://g.page/r/x' };
    expect(servicesOf(place({ links }))).toEqual([
      { name: 'Google', url: 'https://g.page/r/x' },
      { name: 'Yelp', url: 'https://yelp.com/biz/x' },
    ]);
    expect(servicesOf(place())).toEqual([]);
  });
});
