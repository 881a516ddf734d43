import { describe, expect, it } from 'vitest';
import { type GetStartedValues, missingOf } from './get-started.ts';

const values = (overrides: Partial<GetStartedValues> = {}): GetStartedValues => ({
  businessName: 'Café Åland',
  links: {},
  inviteToReview: 'good',
  ...overrides,
});

describe('Go to my dashboard', () => {
  it('needs a business name, in any letters, and no review service', () => {
    expect(missingOf(values())).toBeUndefined();
    expect(missingOf(values({ businessName: '' }))).toBe('Enter your business name.');
    expect(missingOf(values({ businessName: '  ' }))).toBe('Enter your business name.');
  });

  it('needs a link for each chosen service', () => {
    expect(missingOf(values({ links: { Yelp: '' } }))).toBe('Paste your Yelp link, or uncheck Yelp.');
    expect(missingOf(values({ links: { Google: ' g.page/r/x/review ' } }))).toBeUndefined();
    expect(missingOf(values({ links: { Google: 'https://www.yelp.com/biz/x' } }))).toBe('Check your Google link, or uncheck Google.');
    expect(missingOf(values({ links: { Google: ' https://g.page/r/x/review ' } }))).toBeUndefined();
  });
});
