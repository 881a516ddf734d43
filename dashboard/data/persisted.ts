import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { onDevice, quietly } from './storage.ts';

export type Theme = 'light' | 'dark';

/** The newest feedback as last seen, to show before the network responds. Never contains a visitor's contact data. */
interface PersistedFeedback {
  readonly userId: string;
  readonly at: number;
  readonly items: readonly Feedback[];
}

/** The state that outlives the page, under one storage key (docs/rules.md#kept-on-the-device). */
export interface PersistedState {
  readonly theme: Theme;
  /** When the theme was chosen (UTC ms); 0 until then. */
  readonly chosen: number;
  readonly feedback: PersistedFeedback | undefined;
}

export const STORAGE_KEY = 'afterword';
const VERSION = 2;
/** How long feedback is shown from the device (ms), without contacts, and how many items. @limit on-device */
export const PERSISTED_FOR = 24 * 60 * 60_000;
const MOST_ITEMS = 25;

export const INITIAL: PersistedState = { theme: 'light', chosen: 0, feedback: undefined };

/**
 * Merges restored state only where the current state hasn't changed since, so that slow storage or another tab's older state
 * doesn't undo a theme chosen later.
 */
export function mergePersisted(restored: unknown, current: PersistedState): PersistedState {
  const { theme, chosen = 0, feedback } = (restored ?? {}) as Partial<PersistedState>;
  const isNewer = (theme === 'light' || theme === 'dark') && typeof chosen === 'number' && chosen >= current.chosen;
  return {
    ...(isNewer ? { theme, chosen } : { theme: current.theme, chosen: current.chosen }),
    feedback: current.feedback === INITIAL.feedback && isFresh(feedback) ? feedback : current.feedback,
  };
}

/** Converts an earlier version's state to the current shape; drops anything unknown. */
export function migratePersisted(restored: unknown, version: number): PersistedState {
  const { theme, chosen } = (restored ?? {}) as Partial<PersistedState>;
  return mergePersisted(version === VERSION ? restored : { theme, chosen }, INITIAL);
}

const isFresh = (feedback: PersistedFeedback | undefined): boolean =>
  feedback !== undefined &&
  Array.isArray(feedback.items) &&
  typeof feedback.userId === 'string' &&
  Date.now() - feedback.at < PERSISTED_FOR;

export const usePersisted = create<PersistedState>()(
  persist(() => INITIAL, {
    name: STORAGE_KEY,
    version: VERSION,
    storage: createJSONStorage(() => onDevice),
    migrate: migratePersisted,
    merge: mergePersisted,
  }),
);

/**
 * Applies what other tabs persist. A tab writes its whole state, so it can overwrite a theme just chosen here; only then does
 * this tab write again. Writing for any other reason would let two tabs answer each other forever.
 */
export function followOtherTabs(): void {
  usePersisted.persist.setOptions({ merge: (stored, { theme, chosen }) => mergePersisted(stored, { theme, chosen, feedback: undefined }) });
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== STORAGE_KEY || newValue === null) return;
    void usePersisted.persist.rehydrate();
    const stored = quietly(() => JSON.parse(newValue) as { state?: Partial<PersistedState> });
    if (stored && (stored.state?.chosen ?? 0) < usePersisted.getState().chosen) usePersisted.setState({});
  });
}

export function setTheme(theme: Theme): void {
  usePersisted.setState({ theme, chosen: Date.now() });
}

export function persistFeedback(userId: string, items: readonly Feedback[]): void {
  usePersisted.setState({ feedback: { userId, at: Date.now(), items: items.slice(0, MOST_ITEMS).map(withoutContact) } });
}

/** Deletes the team's data from the device after sign-out. The theme stays: it isn't a secret. */
export function clearFeedback(): void {
  usePersisted.setState({ feedback: undefined });
}

function withoutContact(item: Feedback): Feedback {
  const { contact: _contact, ...data } = item.data;
  return { ...item, data: { ...data, responses: data.responses.filter(({ block }) => block !== 'ContactMe') } };
}
