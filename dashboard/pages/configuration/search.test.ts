import { describe, expect, it } from 'vitest';
import { readConfigurationSearch, searchOf, TABS, tabOf } from './search.ts';

describe('the configuration’s address', () => {
  it.each(TABS)('round-trips the tab %s', (tab) => {
    expect(tabOf(readConfigurationSearch({ ...searchOf(tab) }))).toBe(tab);
  });

  it('omits unknown tabs and the first', () => {
    for (const tab of ['form', 'nowhere', 7, undefined]) expect(readConfigurationSearch({ tab })).toEqual({ tab: undefined });
  });
});
