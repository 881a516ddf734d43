import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { feedFilters } from '#contract/feedback/filters.ts';
import { areSameShows } from '#contract/saved-view/saved-view.ts';
import { dana, pier } from '#fixtures/business.ts';
import { savedViews } from '#fixtures/saved-views.ts';
import { viewAddress } from '../../../frame/views.ts';
import { pathsBelow } from '../../../paths.ts';
import { type FeedSearch, readFeedSearch } from '../search.ts';
import { goneFrom, shownBy } from './shown.ts';

const EVERYTHING = {
  rating: '2',
  property: pier.id,
  tool: 'TOOL_PierTill01',
  kind: 'contact me',
  source: 'Google',
  status: 'done',
  assignee: 'nobody',
  tag: 'TAG_a1B2c3D4e5',
  unread: 'yes',
  q: 'too loud',
};

describe('the filters of a view', () => {
  it.each([
    ['a named period', { ...EVERYTHING, range: 'week' }],
    ['custom dates', { ...EVERYTHING, from: '2026-10-01', to: '2026-10-02' }],
    ['nothing', {}],
  ])('are stored as in the address, and return there unchanged: %s', (_case, raw) => {
    const search = readFeedSearch({ ...raw, id: 'EXPERIENCE_20261121_1795269600000_a1B2c', view: 'SAVEDVIEW_a1B2c3D4e5' });
    const { feed, filters } = shownBy({ of: 'account' }, search);
    expect(feed).toBe('account');
    expect(v.parse(feedFilters, filters)).toEqual(filters);
    expect(readFeedSearch(filters)).toEqual({ ...search, id: undefined, view: undefined });
  });

  it('include the property of a property’s feed', () => {
    expect(shownBy({ of: 'property', property: pier }, { rating: 1 } as FeedSearch).filters).toEqual({ rating: 1, property: pier.id });
  });

  it('are the same in any order, and differ by any filter', () => {
    const [week, rated] = [{ range: 'week' } as const, { rating: 1 } as const];
    expect(areSameShows({ feed: 'account', filters: { ...week, ...rated } }, { feed: 'account', filters: { ...rated, ...week } })).toBe(
      true,
    );
    expect(areSameShows({ feed: 'account', filters: week }, { feed: 'account', filters: { ...week, ...rated } })).toBe(false);
    expect(areSameShows({ feed: 'account', filters: week }, { feed: 'urgent', filters: week })).toBe(false);
  });
});

describe('a view with deleted filters', () => {
  it('reports a person and a tag, once these are loaded', () => {
    const filters = { assignee: dana.id, tag: 'TAG_a1B2c3D4e5' };
    expect(goneFrom(filters, { people: [dana], tags: [{ id: filters.tag }] })).toEqual([]);
    expect(goneFrom(filters, { people: [], tags: undefined })).toEqual(['a former teammate']);
    expect(goneFrom(filters, { people: [dana], tags: [] })).toEqual(['a deleted tag']);
    expect(goneFrom({ assignee: 'nobody' }, { people: [], tags: [] })).toEqual([]);
  });

  it('opens at its property, or in all feedback if that is deleted', () => {
    const [, ofPier] = savedViews;
    if (!ofPier) throw new Error('There is no sample');
    const paths = pathsBelow('');
    expect(viewAddress(ofPier, { paths, properties: [pier] })).toEqual({
      to: paths.propertyFeedback(pier.id),
      search: { q: 'music', view: ofPier.id },
    });
    expect(viewAddress(ofPier, { paths, properties: [] })).toEqual({
      to: paths.feed,
      search: { property: pier.id, q: 'music', view: ofPier.id },
    });
  });
});
