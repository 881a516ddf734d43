import { describe, expect, it } from 'vitest';
import { mayAnalyse, onlySaid } from './rules.ts';

const OPEN = { hostname: 'feedback.example.com', localFlag: null, doNotTrack: null, globalPrivacyControl: undefined };

describe('the analytics provider', () => {
  it('starts where nothing forbids it', () => {
    expect(mayAnalyse(OPEN)).toBe(true);
    expect(mayAnalyse({ ...OPEN, localFlag: 'false', doNotTrack: '0', globalPrivacyControl: false })).toBe(true);
  });

  it.each([
    ['at localhost', { hostname: 'localhost' }],
    ['at 127.0.0.1', { hostname: '127.0.0.1' }],
    ['at ::1', { hostname: '::1' }],
    ['at ::1 in brackets', { hostname: '[::1]' }],
    ['with the local flag', { localFlag: 'true' }],
    ['where Do Not Track is on', { doNotTrack: '1' }],
    ['where Global Privacy Control is on', { globalPrivacyControl: true }],
  ])('doesn’t start %s', (_where, change) => {
    expect(mayAnalyse({ ...OPEN, ...change })).toBe(false);
  });

  it('receives only the page, not the properties that the library adds', () => {
    const added = { $current_url: 'https://x/?q=Ann', $referrer: 'https://x', $screen_width: 1440, email: 'dana@example.com' };
    expect(onlySaid({ ...added, page: '/urgent', area: 'team', distinct_id: '1', token: 'phc_x' })).toEqual({
      page: '/urgent',
      area: 'team',
      distinct_id: '1',
      token: 'phc_x',
    });
  });
});
