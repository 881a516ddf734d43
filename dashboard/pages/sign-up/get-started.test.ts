import { describe, expect, it } from 'vitest';
import { type GetStartedValues, linkProblem, missingOf, servicesOf } from './get-started.ts';

const values = (given: Partial<GetStartedValues> = {}): GetStartedValues => ({
  businessName: 'Café Åland',
  links: {},
  inviteToReview: 'good',
  ...given,
});

describe('Go to my dashboard', () => {
  it('needs a business name, in any letters, and no review service', () => {
    expect(missingOf(values())).toBeUndefined();
    expect(missingOf(values({ businessName: '' }))).toBe('Enter your business name.');
    expect(missingOf(values({ businessName: '  ' }))).toBe('Enter your business name.');
  });

  it('needs the link of each service that is chosen', () => {
    expect(missingOf(values({ links: { Yelp: '' } }))).toBe('Paste your Yelp link, or take Yelp off.');
    expect(missingOf(values({ links: { Google: 'https://www.yelp.com/biz/x' } }))).toBe('Paste your Google link, or take Google off.');
    expect(missingOf(values({ links: { Google: ' https://g.page/r/x/review ' } }))).toBeUndefined();
  });

  it('says what is wrong with a link once there is one', () => {
    expect(linkProblem('Google', '')).toBeUndefined();
    expect(linkProblem('Google', 'https://www.google.com/maps')).toBe('Please paste the link of your review page at Google');
    expect(linkProblem('Google', 'g.page/r/x')).toBeUndefined();
    expect(linkProblem('Yelp', 'https://m.yelp.com/biz/x')).toBeUndefined();
  });

  it('sends what was chosen, in order', () => {
    const links = { Yelp: 'https://yelp.com/biz/x ', Google: 'https://g.page/r/x' };
    expect(servicesOf(values({ links }))).toEqual([
      { name: 'Google', url: 'https://g.page/r/x' },
      { name: 'Yelp', url: 'https://yelp.com/biz/x' },
    ]);
    expect(servicesOf(values())).toEqual([]);
  });
});
