import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { onDevice, quietly } from './storage.ts';

export type Theme = 'light' | 'dark';

/** The newest feedback as it was seen last, so that the feed is there before the network is. Never a visitor's contact data. */
interface PersistedFeedback {
  readonly userId: string;
  readonly at: number;
  readonly items: readonly Feedback[];
}

/** The state that outlives the page, under one key of the browser's storage (docs/rules.md#kept-on-the-device). */
export interface PersistedState {
  readonly theme: Theme;
  /** When somebody chose it (UTC ms); 0 until then. */
  readonly chosen: number;
  readonly feedback: PersistedFeedback | undefined;
}

export const STORAGE_KEY = 'afterword';
const VERSION = 2;
/** How long (ms) persisted feedback is worth showing. */
export const PERSISTED_FOR = 24 * 60 * 60_000;
const MOST_ITEMS = 25;

export const INITIAL: PersistedState = { theme: 'light', chosen: 0, feedback: undefined };

/**
 * Restored state merges only into the sub-states that were not changed since: a theme that was chosen later, while the
 * storage was slow or another tab wrote what it still held, is not taken back.
 */
export function mergePersisted(restored: unknown, current: PersistedState): PersistedState {
  const { theme, chosen = 0, feedback } = (restored ?? {}) as Partial<PersistedState>;
  const isTaken = (theme === 'light' || theme === 'dark') && typeof chosen === 'number' && chosen >= current.chosen;
  return {
    ...(isTaken ? { theme, chosen } : { theme: current.theme, chosen: current.chosen }),
    feedback: current.feedback === INITIAL.feedback && isFresh(feedback) ? feedback : current.feedback,
  };
}

/** Earlier shapes become today's; what nobody understands is dropped. */
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
 * What another tab persists holds here too, so that a theme chosen there is seen here. A tab writes everything at once: where
 * it did so before it heard of the theme that was chosen here, the theme is written again, and nothing else ever is, or two
 * tabs would answer each other for ever.
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

/** After signing out nothing of the team stays on the device. The theme does: it is nobody's secret. */
export function clearFeedback(): void {
  usePersisted.setState({ feedback: undefined });
}

function withoutContact(item: Feedback): Feedback {
  const { contact: _contact, ...data } = item.data;
  return { ...item, data: { ...data, responses: data.responses.filter(({ block }) => block !== 'ContactMe') } };
}
