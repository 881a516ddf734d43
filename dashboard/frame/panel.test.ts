import { describe, expect, it } from 'vitest';
import { readPanelSearch } from './panel.ts';

const ITEM = 'EXPERIENCE_20261120_1795132800000_a1B2c';
const SAM = 'USER_a3b7e6d2-91c4-4c57-8e2f-0b9d4f6a1c02';
const PIER = 'PROPERTY_Pier4';

describe('readPanelSearch', () => {
  it('reads the panel and what it’s about', () => {
    expect(readPanelSearch({ panel: 'profile' })).toEqual({ panel: 'profile' });
    expect(readPanelSearch({ panel: 'account', user: SAM })).toEqual({ panel: 'account' });
    expect(readPanelSearch({ panel: 'user', user: SAM })).toEqual({ panel: 'user', user: SAM });
    expect(readPanelSearch({ panel: 'property', place: PIER, user: SAM })).toEqual({ panel: 'property', place: PIER });
    expect(readPanelSearch({ panel: 'property' })).toEqual({ panel: 'property' });
    expect(readPanelSearch({ panel: 'comments', about: ITEM })).toEqual({ panel: 'comments', about: ITEM });
    expect(readPanelSearch({ panel: 'comments', about: SAM }).about).toBeUndefined();
    expect(readPanelSearch({ panel: 'profile', about: ITEM }).about).toBeUndefined();
  });

  it('ignores unknown and unrelated values', () => {
    for (const raw of [{}, { panel: 'safe' }, { panel: 3 }, { user: SAM }, { panel: 'profile', user: SAM }])
      expect(readPanelSearch(raw).user).toBeUndefined();
    expect(readPanelSearch({ panel: 'user', user: SAM, place: PIER })).toEqual({ panel: 'user', user: SAM });
    expect(readPanelSearch({ panel: 'safe' }).panel).toBeUndefined();
    expect(readPanelSearch({ panel: 'user', user: 'Sam' })).toEqual({ panel: 'user' });
  });
});
