/* What is kept beside the page, and under which key: docs/decisions/0006-the-dashboard.md. */

/** A storage of the browser's. Where it is forbidden or full it keeps nothing and breaks nothing. */
const quiet = (storage: () => Storage): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> => ({
  getItem: (name) => quietly(() => storage().getItem(name)) ?? null,
  setItem: (name, value) => void quietly(() => storage().setItem(name, value)),
  removeItem: (name) => void quietly(() => storage().removeItem(name)),
});

/** For this device: every tab, until it is removed. */
export const onDevice = quiet(() => localStorage);
/** For this tab, over its reloads. */
export const inTab = quiet(() => sessionStorage);

/** Undefined where it throws. */
export function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
