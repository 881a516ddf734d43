import { describe, expect, it } from 'vitest';
import { readPanelSearch } from './panel.ts';

const SAM = 'USER_a3b7e6d2-91c4-4c57-8e2f-0b9d4f6a1c02';

describe('a panel over a page', () => {
  it('is named by the address', () => {
    expect(readPanelSearch({ panel: 'profile' })).toEqual({ panel: 'profile', user: undefined });
    expect(readPanelSearch({ panel: 'user', user: SAM })).toEqual({ panel: 'user', user: SAM });
  });

  it('is nothing where the address is not understood', () => {
    for (const raw of [{}, { panel: 'safe' }, { panel: 3 }, { user: SAM }, { panel: 'profile', user: SAM }])
      expect(readPanelSearch(raw).user).toBeUndefined();
    expect(readPanelSearch({ panel: 'safe' }).panel).toBeUndefined();
    expect(readPanelSearch({ panel: 'user', user: 'Sam' })).toEqual({ panel: 'user', user: undefined });
  });
});
