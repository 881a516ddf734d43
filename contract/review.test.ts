import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REVIEW_SERVICES, reviewLink } from './review.ts';

describe('a review link', () => {
  it.each([
    ['Google', 'https://g.page/r/abc/review', 'https://g.page/r/abc/review'],
    ['Google', 'https://search.google.com/local/writereview?placeid=1', 'https://search.google.com/local/writereview?placeid=1'],
    ['Google', 'HTTPS://WWW.Google.co.uk/maps', 'https://www.google.co.uk/maps'],
    ['Yelp', 'https://www.yelp.com/biz/café', 'https://www.yelp.com/biz/caf%C3%A9'],
  ] as const)('of %s is kept: %s', (service, url, kept) => {
    expect(reviewLink(service, url)).toBe(kept);
  });

  it.each([
    ['Google', 'http://g.page/r/abc'],
    ['Google', 'https://google.com.evil.test/'],
    ['Google', 'https://evilgoogle.com/'],
    ['Google', 'https://google.com@evil.test/'],
    ['Google', 'https://google.com:8443/'],
    ['Google', 'https://www.yelp.com/biz/x'],
    ['Google', 'javascript:alert(1)'],
    ['Google', 'https://google.com\\@evil.test'],
    ['Google', 'https://google.com/a b'],
    ['Yelp', '//yelp.com/biz'],
    ['Yelp', ''],
  ] as const)('of %s is refused: %s', (service, url) => {
    expect(reviewLink(service, url)).toBeUndefined();
  });

  it('leads to that service wherever a browser reads it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...REVIEW_SERVICES), fc.string({ unit: 'binary' }), (service, rest) => {
        const link = reviewLink(service, `https://www.${service.toLowerCase()}.com${rest}`);
        if (link === undefined) return;
        const { protocol, hostname, port, username } = new URL(link);
        expect([protocol, port, username]).toEqual(['https:', '', '']);
        expect(hostname).toMatch(new RegExp(`(^|\\.)${service}\\.`, 'i'));
      }),
      { numRuns: 2000 },
    );
  });
});
