import { describe, expect, it } from 'vitest';
import { readConfigurationSearch, searchOf, TABS, tabOf } from './search.ts';

describe('the configuration’s address', () => {
  it.each(TABS)('leads to the tab %s and back', (tab) => {
    expect(tabOf(readConfigurationSearch({ ...searchOf(tab) }))).toBe(tab);
  });

  it('leaves out what it does not know, and the first tab', () => {
    for (const tab of ['form', 'nowhere', 7, undefined]) expect(readConfigurationSearch({ tab })).toEqual({ tab: undefined });
  });
});
