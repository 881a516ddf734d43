import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { STORAGE_KEY } from './persisted.ts';
import { onDevice, quietly } from './storage.ts';

interface SingleKeys {
  readonly areOn: boolean;
}

/** The device's setting for single-key shortcuts (WCAG 2.1.4). It has its own key, because the spec's key stores only feedback and theme. */
export const useSingleKeys = create<SingleKeys>()(
  persist((): SingleKeys => ({ areOn: migratedSetting() }), {
    name: `${STORAGE_KEY}.shortcuts`,
    storage: createJSONStorage(() => onDevice),
  }),
);

// Save a setting from the earlier key before that key is overwritten.
if (!useSingleKeys.getState().areOn) setSingleKeys(false);

export function setSingleKeys(areOn: boolean): void {
  useSingleKeys.setState({ areOn });
}

/** Returns the setting stored under the spec's key by earlier versions; on by default. */
function migratedSetting(): boolean {
  const before = quietly(() => JSON.parse(onDevice.getItem(STORAGE_KEY) ?? '') as { state?: { keys?: unknown } });
  return before?.state?.keys !== false;
}
