import type { RecordedEvent } from '../events.ts';
import { HISTORY, type HistoryEntry } from './feedback.ts';

/** Returns the events that a feedback item's history shows. */
export const historyOf = (events: readonly RecordedEvent[]): HistoryEntry[] =>
  events.filter(isOfHistory).map(({ id: _id, accountId: _account, subject: _subject, ...entry }) => entry);

type HistoryEvent = Extract<RecordedEvent, { readonly name: HistoryEntry['name'] }>;
const isOfHistory = (event: RecordedEvent): event is HistoryEvent => HISTORY.some((name) => name === event.name);
