import { create } from 'zustand';
import { createJSONStorage, persist, type StateStorage } from 'zustand/middleware';
import type { Feedback } from '#contract/feedback.ts';

export type Theme = 'light' | 'dark';

/** The newest feedback as it was seen last, so that the feed is there before the network is. Never a visitor's contact. */
export interface KeptFeedback {
  readonly userId: string;
  readonly at: number;
  readonly items: readonly Feedback[];
}

/** What outlives the page, under one key of the browser's storage (SPEC §3). */
export interface Kept {
  readonly theme: Theme;
  /** Whether single keys do something (WCAG 2.1.4). */
  readonly keys: boolean;
  readonly feedback: KeptFeedback | undefined;
}

export const STORAGE_KEY = 'afterword';
const VERSION = 1;
/** What was kept longer ago is not worth showing. */
export const KEPT_FOR = 24 * 60 * 60_000;
const MOST_ITEMS = 25;

export const START: Kept = { theme: 'light', keys: true, feedback: undefined };

/**
 * Restored state merges only into the sub-states that were not changed since the start: a theme that was chosen while
 * the storage was slow is not taken back.
 */
export function mergeKept(restored: unknown, current: Kept): Kept {
  const { theme, keys, feedback } = (restored ?? {}) as Partial<Kept>;
  return {
    theme: current.theme === START.theme && (theme === 'light' || theme === 'dark') ? theme : current.theme,
    keys: current.keys === START.keys && typeof keys === 'boolean' ? keys : current.keys,
    feedback: current.feedback === START.feedback && isFresh(feedback) ? feedback : current.feedback,
  };
}

/** Earlier shapes become today's; what nobody understands is dropped. */
export function migrateKept(restored: unknown, version: number): Kept {
  const { theme, keys } = (restored ?? {}) as Partial<Kept>;
  return version === VERSION ? mergeKept(restored, START) : mergeKept({ theme, keys }, START);
}

const isFresh = (kept: KeptFeedback | undefined): boolean =>
  kept !== undefined && Array.isArray(kept.items) && typeof kept.userId === 'string' && Date.now() - kept.at < KEPT_FOR;

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

export const useKept = create<Kept>()(
  persist(() => START, {
    name: STORAGE_KEY,
    version: VERSION,
    storage: createJSONStorage(() => storage),
    migrate: migrateKept,
    merge: mergeKept,
  }),
);

export function setTheme(theme: Theme): void {
  useKept.setState({ theme });
}

export function setKeys(keys: boolean): void {
  useKept.setState({ keys });
}

export function keepFeedback(userId: string, items: readonly Feedback[]): void {
  useKept.setState({ feedback: { userId, at: Date.now(), items: items.slice(0, MOST_ITEMS).map(withoutContact) } });
}

/** Nothing of the team stays on the device after signing out. The theme is nobody's secret. */
export function forgetFeedback(): void {
  useKept.setState({ feedback: undefined });
}

function withoutContact(item: Feedback): Feedback {
  const { contact: _contact, ...data } = item.data;
  return { ...item, data: { ...data, responses: data.responses.filter(({ block }) => block !== 'ContactMe') } };
}
