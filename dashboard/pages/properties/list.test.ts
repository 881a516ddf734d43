import { describe, expect, it } from 'vitest';
import type { Tally } from '#contract/feedback/tally.ts';
import { airport, oldTown, pier } from '#fixtures/business.ts';
import { filterAndSort, NO_COUNTS } from './list.ts';
import { readPropertiesSearch } from './search.ts';

const COUNTS = new Map<string, { ratings: Tally }>([
  [pier.id, { ratings: [1, 0, 0, 0, 9] }],
  [oldTown.id, { ratings: [2, 0, 0, 0, 0] }],
]);
const figures = {
  countsOf: (id: string) => ({ ...NO_COUNTS, ...COUNTS.get(id) }),
  waitingOf: (id: string) => (id === airport.id ? 3 : id === pier.id ? 1 : 0),
};
const all = [airport, oldTown, pier];
const namesOf = (search: Parameters<typeof filterAndSort>[1]) => filterAndSort(all, search, figures).map(({ data }) => data.displayName);

describe('the list of properties', () => {
  it('leaves the order by name as it is', () => {
    expect(namesOf({})).toEqual(['Airport kiosk', 'Old Town', 'Pier 4']);
  });

  it('starts with the properties that need attention, and ends with unrated ones', () => {
    expect(namesOf({ sort: 'average' })).toEqual(['Old Town', 'Pier 4', 'Airport kiosk']);
    expect(namesOf({ sort: 'urgent' })).toEqual(['Airport kiosk', 'Pier 4', 'Old Town']);
    expect(namesOf({ sort: 'answers' })).toEqual(['Pier 4', 'Old Town', 'Airport kiosk']);
  });

  it('filters by words of the name, ignoring case and accents', () => {
    expect(namesOf({ q: 'OLD t' })).toEqual(['Old Town']);
    expect(namesOf({ q: 'töwn' })).toEqual(['Old Town']);
    expect(namesOf({ q: 'nowhere' })).toEqual([]);
  });

  it('ignores invalid values in the address', () => {
    expect(readPropertiesSearch({ q: 42, sort: 'urgent' })).toEqual({ q: '42', sort: 'urgent' });
    for (const raw of [{ q: '  ', sort: 'name' }, { q: {}, sort: 'colour' }, {}])
      expect(readPropertiesSearch(raw)).toEqual({ q: undefined, sort: undefined });
  });
});
