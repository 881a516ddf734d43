import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reviewLink } from './review-link.ts';

/** The services with known pages. */
const LISTED = ['Google', 'Yelp', 'Trustpilot'] as const;
type KnownService = (typeof LISTED)[number];

/** Links that owners paste, and their stored form. */
const PAGES: readonly (readonly [service: KnownService, pasted: string, stored: string])[] = [
  ['Google', 'https://g.page/r/CdEf-12_x/review', 'https://g.page/r/CdEf-12_x/review'],
  ['Google', 'g.page/harbor-coffee?gm', 'https://g.page/harbor-coffee'],
  ['Google', 'https://maps.app.goo.gl/abcD1?g_st=ic', 'https://maps.app.goo.gl/abcD1'],
  ['Google', 'https://goo.gl/maps/abcD1', 'https://goo.gl/maps/abcD1'],
  ['Google', 'https://g.co/kgs/abcD1', 'https://g.co/kgs/abcD1'],
  ['Google', 'https://share.google/abcD1', 'https://share.google/abcD1'],
  [
    'Google',
    'https://search.google.com/local/writereview?placeid=ChIJ-1_x',
    'https://search.google.com/local/writereview?placeid=ChIJ-1_x',
  ],
  ['Google', 'https://search.google.com/local/reviews?hl=en&placeid=ChIJ1', 'https://search.google.com/local/reviews?placeid=ChIJ1'],
  [
    'Google',
    'HTTPS://WWW.Google.co.uk/maps/place/Café+Harbor/@51.5,-0.1,17z/data=!3m1!1s0x1:0x2!16s%2Fg%2F11x?entry=ttu',
    'https://www.google.co.uk/maps/place/Caf%C3%A9+Harbor/@51.5,-0.1,17z/data=!3m1!1s0x1:0x2!16s%2Fg%2F11x',
  ],
  ['Google', 'https://www.google.com/maps/place/?q=place_id:ChIJ1', 'https://www.google.com/maps/place?q=place_id:ChIJ1'],
  ['Google', 'https://maps.google.com/?cid=123', 'https://maps.google.com?cid=123'],
  ['Google', 'https://google.de/maps?hl=de&cid=123', 'https://google.de/maps?cid=123'],
  [
    'Google',
    'https://maps.google.com?q=Harbor+Coffee,+Pier+4&ftid=0x47e6:0x8a&hl=en&entry=gps',
    'https://maps.google.com?q=Harbor+Coffee,+Pier+4&ftid=0x47e6:0x8a',
  ],
  [
    'Google',
    'www.google.com/maps/place//data=!4m3!3m2!1s0x47e6:0x8a!12e1',
    'https://www.google.com/maps/place//data=!4m3!3m2!1s0x47e6:0x8a!12e1',
  ],
  ['Google', 'share.google/abcD1', 'https://share.google/abcD1'],
  ['Google', 'maps.app.goo.gl/abcD1', 'https://maps.app.goo.gl/abcD1'],
  ['Google', 'search.google.com/local/writereview?placeid=ChIJ1', 'https://search.google.com/local/writereview?placeid=ChIJ1'],
  [
    'Google',
    'https://www.google.com/maps/search/?api=1&query=Harbor&query_place_id=ChIJ1',
    'https://www.google.com/maps/search?api=1&query=Harbor&query_place_id=ChIJ1',
  ],
  [
    'Google',
    'https://www.google.fr/search?sca_esv=1&q=harbor+coffee&btnI=1#lrd=0x47e6:0x8a,3,,,',
    'https://www.google.fr/search?q=harbor+coffee#lrd=0x47e6:0x8a,3,,,',
  ],
  ['Yelp', 'https://www.yelp.com/biz/café?osq=Coffee', 'https://www.yelp.com/biz/caf%C3%A9'],
  ['Yelp', 'm.yelp.com/biz/harbor-coffee-lisbon-2', 'https://m.yelp.com/biz/harbor-coffee-lisbon-2'],
  ['Yelp', 'https://www.yelp.com/writeareview/biz/x-1_y?return_url=%2Fbiz%2Fx', 'https://www.yelp.com/writeareview/biz/x-1_y'],
  ['Yelp', 'https://fr.yelp.be/biz/x/', 'https://fr.yelp.be/biz/x'],
  ['Yelp', 'https://www.yelp.com.hk/biz/x', 'https://www.yelp.com.hk/biz/x'],
  ['Yelp', 'https://yelp.to/abcD1', 'https://yelp.to/abcD1'],
];

describe('a review link', () => {
  it.each(PAGES)('of %s is accepted: %s', (service, pasted, stored) => {
    expect(reviewLink(service, pasted)).toBe(stored);
    expect(reviewLink(service, stored)).toBe(stored);
  });

  it.each([
    ['Google', 'http://g.page/r/abc'],
    ['Google', 'https://google.com.evil.test/maps/place/x'],
    ['Google', 'https://evilgoogle.com/maps/place/x'],
    ['Google', 'https://google.com@evil.test/maps/place/x'],
    ['Google', 'https://google.com:8443/maps/place/x'],
    ['Google', 'https://google.zz/maps/place/x'],
    ['Google', 'https://google.com.de/maps/place/x'],
    ['Google', 'https://www.yelp.com/biz/x'],
    ['Google', 'javascript:alert(1)'],
    ['Google', 'https://google.com\\@evil.test'],
    ['Google', 'https://google.com/maps/place/a b'],
    // Google services that show other people's content, or redirect.
    ['Google', 'https://www.google.com/url?q=https://evil.test'],
    ['Google', 'https://www.google.com/maps/place/../../url?q=https://evil.test'],
    ['Google', 'https://www.google.com/maps/place/%2E%2e/%2e./url?q=https://evil.test'],
    ['Google', 'https://www.google.com/amp/s/evil.test'],
    ['Google', 'https://www.google.com/search?q=evil&btnI=1'],
    ['Google', 'https://www.google.com/?q=evil'],
    ['Google', 'https://www.google.com/url?q=https://evil.test&ftid=0x1:0x2'],
    ['Google', 'https://maps.google.com/?q=evil&ftid=https://evil.test'],
    ['Google', 'https://sites.google.com/view/evil'],
    ['Google', 'https://translate.google.com/translate?u=https://evil.test'],
    ['Google', 'https://docs.google.com/forms/d/e/x/viewform'],
    ['Google', 'https://evil-test.translate.goog/'],
    ['Google', 'https://accounts.google.com/signin?continue=https://evil.test'],
    ['Google', 'https://business.google.com/reviews'],
    ['Google', 'https://search.google.com/local/writereview'],
    ['Google', 'https://maps.app.goo.gl/?link=https://evil.test'],
    ['Google', 'https://goo.gl/abcD1'],
    ['Google', 'https://forms.gle/abcD1'],
    ['Google', 'https://g.co/abcD1'],
    ['Google', 'https://g.page/'],
    ['Google', 'https://www.google.com/maps'],
    ['Google', 'https://www.google.com/'],
    ['Yelp', 'https://www.yelp.com/biz_redir?url=https://evil.test'],
    ['Yelp', 'https://www.yelp.com/redirect?url=https://evil.test'],
    ['Yelp', 'https://www.yelp.com/biz/../redirect?url=https://evil.test'],
    ['Yelp', 'https://biz.yelp.com/login'],
    ['Yelp', 'https://www.yelp.com/biz/'],
    ['Yelp', 'https://www.yelp.zz/biz/x'],
    ['Yelp', 'https://yelp.to/?$fallback_url=https://evil.test'],
    ['Yelp', '//yelp.com/biz/x'],
    ['Yelp', ''],
  ] as const)('of %s is refused: %s', (service, url) => {
    expect(reviewLink(service, url)).toBeUndefined();
  });

  /** A valid link with something inserted anywhere. */
  const mangled = fc
    .tuple(
      fc.constantFrom(...PAGES),
      fc.nat(200),
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('/..', '/%2e%2e/', '//', '@evil.test', ':80', '\\', '?url=https://evil.test', '&btnI'),
      ),
    )
    .map(([[service, , stored], at, more]) => [service, `${stored.slice(0, at)}${more}${stored.slice(at)}`] as const);
  const HOSTS = {
    Google: /^(?:(?:www|maps|search)\.)?google(?:\.[a-z]{2,3}){1,2}$|^(?:maps\.app\.)?goo\.gl$|^g\.(?:page|co)$|^share\.google$/,
    Yelp: /^(?:[a-z]+\.)?yelp(?:\.[a-z]{2,3}){1,2}$/,
    Trustpilot: /^(?:[a-z]{2,3}\.)?trustpilot\.com$/,
  };
  const PATHS = /^\/(?:maps|local|kgs|search$|biz|writeareview\/biz|review|evaluate)(?:\/|$)|^(?:\/[\w.%-]+){1,3}$|^\/$/;

  it('opens only review pages in a browser, whatever is inserted', () => {
    fc.assert(
      fc.property(mangled, ([service, url]) => {
        const link = reviewLink(service, url);
        if (link === undefined) return;
        const { protocol, hostname, port, username, password, pathname, searchParams } = new URL(link);
        expect([protocol, port, username, password]).toEqual(['https:', '', '', '']);
        expect(hostname).toMatch(HOSTS[service]);
        expect(pathname).toMatch(PATHS);
        for (const name of searchParams.keys()) expect(['placeid', 'q', 'cid', 'ftid', 'api', 'query', 'query_place_id']).toContain(name);
        expect(reviewLink(service, link)).toBe(link);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is only a review page, whatever follows the service’s name', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LISTED), fc.string({ unit: 'binary' }), (service, rest) => {
        const link = reviewLink(service, `https://www.${service.toLowerCase()}.com${rest}`);
        expect(link === undefined || PATHS.test(new URL(link).pathname)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('another service', () => {
  it.each([
    ['Trustpilot', 'www.trustpilot.com/review/harborcoffee.example?utm=1', 'https://www.trustpilot.com/review/harborcoffee.example'],
    ['Trustpilot', 'https://de.trustpilot.com/evaluate/harborcoffee.example', 'https://de.trustpilot.com/evaluate/harborcoffee.example'],
    ['Trustpilot', 'https://www.trustpilot.com/', undefined],
    ['Trustpilot', 'https://trustpilot.com.example/review/a', undefined],
    ['Other', 'www.tripadvisor.com/Restaurant_Review-g1-d2?m=3#REVIEWS', 'https://www.tripadvisor.com/Restaurant_Review-g1-d2?m=3'],
    ['Other', 'http://www.tripadvisor.com/Restaurant', undefined],
    ['Other', 'https://ann:secret@www.tripadvisor.com/Restaurant', undefined],
    ['Other', 'javascript:alert(1)', undefined],
    // Must be entered as that service's link, so that feedback has the right source.
    ['Other', 'https://www.trustpilot.com/review/harborcoffee.example', undefined],
    ['Other', 'https://www.yelp.com/biz/harbor-coffee', undefined],
  ] as const)('%s: %s', (service, url, link) => {
    expect(reviewLink(service, url)).toBe(link);
  });
});
