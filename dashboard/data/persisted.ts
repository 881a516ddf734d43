import { create } from 'zustand';
import { createJSONStorage, persist, type StateStorage } from 'zustand/middleware';
import type { Feedback } from '#contract/feedback.ts';

export type Theme = 'light' | 'dark';

/** The newest feedback as it was seen last, so that the feed is there before the network is. Never a visitor's contact data. */
export interface PersistedFeedback {
  readonly userId: string;
  readonly at: number;
  readonly items: readonly Feedback[];
}

/** The state that outlives the page, under one key of the browser's storage (docs/rules.md#kept-on-the-device). */
export interface PersistedState {
  readonly theme: Theme;
  /** Whether single-key shortcuts are on (WCAG 2.1.4). */
  readonly keys: boolean;
  readonly feedback: PersistedFeedback | undefined;
}

export const STORAGE_KEY = 'afterword';
const VERSION = 1;
/** How long (ms) persisted feedback is worth showing. */
export const PERSISTED_FOR = 24 * 60 * 60_000;
const MOST_ITEMS = 25;

export const INITIAL: PersistedState = { theme: 'light', keys: true, feedback: undefined };

/**
 * Restored state merges only into the sub-states that were not changed since the start: a theme that was chosen while
 * the storage was slow is not taken back.
 */
export function mergePersisted(restored: unknown, current: PersistedState): PersistedState {
  const { theme, keys, feedback } = (restored ?? {}) as Partial<PersistedState>;
  return {
    theme: current.theme === INITIAL.theme && (theme === 'light' || theme === 'dark') ? theme : current.theme,
    keys: current.keys === INITIAL.keys && typeof keys === 'boolean' ? keys : current.keys,
    feedback: current.feedback === INITIAL.feedback && isFresh(feedback) ? feedback : current.feedback,
  };
}

/** Earlier shapes become today's; what nobody understands is dropped. */
export function migratePersisted(restored: unknown, version: number): PersistedState {
  const { theme, keys } = (restored ?? {}) as Partial<PersistedState>;
  return version === VERSION ? mergePersisted(restored, INITIAL) : mergePersisted({ theme, keys }, INITIAL);
}

const isFresh = (feedback: PersistedFeedback | undefined): boolean =>
  feedback !== undefined &&
  Array.isArray(feedback.items) &&
  typeof feedback.userId === 'string' &&
  Date.now() - feedback.at < PERSISTED_FOR;

/** Storage that is forbidden or full keeps nothing and breaks nothing. */
const storage: StateStorage = {
  getItem: (name) => quietly(() => localStorage.getItem(name)) ?? null,
  setItem: (name, value) => void quietly(() => localStorage.setItem(name, value)),
  removeItem: (name) => void quietly(() => localStorage.removeItem(name)),
};

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

export const usePersisted = create<PersistedState>()(
  persist(() => INITIAL, {
    name: STORAGE_KEY,
    version: VERSION,
    storage: createJSONStorage(() => storage),
    migrate: migratePersisted,
    merge: mergePersisted,
  }),
);

export function setTheme(theme: Theme): void {
  usePersisted.setState({ theme });
}

export function setKeys(keys: boolean): void {
  usePersisted.setState({ keys });
}

export function persistFeedback(userId: string, items: readonly Feedback[]): void {
  usePersisted.setState({ feedback: { userId, at: Date.now(), items: items.slice(0, MOST_ITEMS).map(withoutContact) } });
}

/** After signing out nothing of the team stays on the device. The theme does: it is nobody's secret. */
export function clearFeedback(): void {
  usePersisted.setState({ feedback: undefined });
}

function withoutContact(item: Feedback): Feedback {
  const { contact: _contact, ...data } = item.data;
  return { ...item, data: { ...data, responses: data.responses.filter(({ block }) => block !== 'ContactMe') } };
}
