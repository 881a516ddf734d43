import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { STORAGE_KEY } from './persisted.ts';
import { onDevice, quietly } from './storage.ts';

interface SingleKeys {
  readonly areOn: boolean;
}

/** Whether single-key shortcuts are on (WCAG 2.1.4): a setting of the device beside the spec's key, which is for feedback and theme alone. */
export const useSingleKeys = create<SingleKeys>()(
  persist((): SingleKeys => ({ areOn: formerly() }), { name: `${STORAGE_KEY}.shortcuts`, storage: createJSONStorage(() => onDevice) }),
);

// What was read from there is written here, before the other key is written anew.
if (!useSingleKeys.getState().areOn) setSingleKeys(false);

export function setSingleKeys(areOn: boolean): void {
  useSingleKeys.setState({ areOn });
}

/** It stood under the spec's key before; whoever switched them off did so for a reason. */
function formerly(): boolean {
  const before = quietly(() => JSON.parse(onDevice.getItem(STORAGE_KEY) ?? '') as { state?: { keys?: unknown } });
  return before?.state?.keys !== false;
}
