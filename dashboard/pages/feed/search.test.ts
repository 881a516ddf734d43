import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filtersOf, NO_FILTERS, readFeedSearch } from './search.ts';

const NOTHING = { ...NO_FILTERS, range: undefined, from: undefined, to: undefined, id: undefined };
const ID = 'EXPERIENCE_20261121_1795269600000_a1B2c';

describe('the feed’s address', () => {
  it('sets every filter', () => {
    const raw = {
      range: 'week',
      rating: '2',
      property: 'PROPERTY_HarborPier4',
      kind: 'contact me',
      source: 'Google',
      status: 'done',
      assignee: 'nobody',
      tag: 'TAG_a1B2c3D4e5',
      unread: 'yes',
      q: ' too loud ',
      id: ID,
    };
    expect(readFeedSearch(raw)).toEqual({ ...raw, rating: 2, q: 'too loud', from: undefined, to: undefined });
  });

  it.each([
    ['range', 'year'],
    ['status', 'closed'],
    ['assignee', 'Sam'],
    ['tag', 'slow'],
    ['unread', 'no'],
    ['from', '2026-01-01'],
    ['rating', '0'],
    ['rating', '6'],
    ['rating', '2.5'],
    ['rating', ''],
    ['rating', 'bad'],
    ['property', 'PROPERTY_'],
    ['property', "x' or 1=1"],
    ['kind', 'all'],
    ['source', 'google'],
    ['q', '   '],
    ['id', 'EXPERIENCE_1'],
  ])('ignores %s="%s"', (name, value) => {
    const search = readFeedSearch({ [name]: value });
    expect(search).toEqual(NOTHING);
    // The key stays, so that the router removes the bad value from the address.
    expect(Object.keys(search)).toContain(name);
  });

  it('keeps valid filters beside invalid ones', () => {
    expect(readFeedSearch({ rating: '9', kind: 'complaint', other: 'x' })).toEqual({ ...NOTHING, kind: 'complaint' });
  });

  it('never throws, and parses its own result unchanged', () => {
    const anything = fc.record({
      range: fc.anything(),
      rating: fc.anything(),
      property: fc.string(),
      kind: fc.anything(),
      q: fc.string(),
      id: fc.string(),
    });
    fc.assert(
      fc.property(anything, (raw) => {
        const once = readFeedSearch(raw);
        expect(readFeedSearch(once)).toEqual(once);
      }),
    );
  });

  it('reads a number as search text, and cuts it at a hundred characters', () => {
    expect(readFeedSearch({ q: '42' }).q).toBe('42');
    expect(readFeedSearch({ q: 'x'.repeat(500) }).q).toHaveLength(100);
  });
});

describe('filters', () => {
  it('exclude the open item and the period', () => {
    expect(filtersOf(readFeedSearch({ id: ID, range: 'today' }))).toEqual([]);
    expect(filtersOf(readFeedSearch({ rating: '1', q: 'x' }))).toEqual(['q', 'rating']);
  });
});
