/* docs/decisions/0005-the-dashboard.md lists what is stored and its keys. */

/** Wraps a browser storage so that it does nothing where it's blocked or full. */
const quiet = (storage: () => Storage): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> => ({
  getItem: (name) => quietly(() => storage().getItem(name)) ?? null,
  setItem: (name, value) => void quietly(() => storage().setItem(name, value)),
  removeItem: (name) => void quietly(() => storage().removeItem(name)),
});

/** Storage for every tab of this device, until removed. */
export const onDevice = quiet(() => localStorage);
/** Storage for this tab, across reloads. */
export const inTab = quiet(() => sessionStorage);

/** Returns the result of `work`; undefined if it throws. */
export function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
