import { badField } from '../core/errors.ts';
import type { EventData, RecordedEvent } from '../events.ts';
import { type Feedback, HISTORY, type HistoryEntry } from './feedback.ts';
import { MOST_TAGS, tagsAfter, type WorkChange } from './work.ts';

/* What a change of the team's makes of feedback, for the server and the demo alike (docs/rules.md#working-on-feedback). */

interface ChangeMaker {
  readonly actor: string;
  /** UTC ms. */
  readonly now: number;
  /** Where the change stands among those that were sent, from 0. */
  readonly at: number;
}

/** Feedback after the change; itself where nothing changes. Refuses the field `changes.<at>.addTags` at too many tags. Without the unread mark. */
export function applyChange(before: Feedback, change: WorkChange, { actor, now, at }: ChangeMaker): Feedback {
  const { assignee: holder = null, ...data } = before.data;
  const { status = data.status, assignee = holder } = change;
  const tags = tagsAfter(data.tags, change);
  if (tags.length > MOST_TAGS) throw badField(`changes.${at}.addTags`, `At most ${MOST_TAGS} tags`);
  if (status === data.status && assignee === holder && areSame(tags, data.tags)) return before;
  const set = status !== data.status && { status, statusBy: actor, statusAt: now };
  return { ...before, data: { ...data, ...set, ...(assignee !== null && { assignee }), tags } };
}

const areSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((each, at) => each === other[at]);

type WorkEventName = 'feedback.status-changed' | 'feedback.assigned' | 'feedback.tagged';

/** An event that a change is recorded by. */
export type WorkEvent = {
  readonly [Name in WorkEventName]: { readonly name: Name; readonly subject: string; readonly data: EventData<Name> };
}[WorkEventName];

/** What is to be recorded of a change: one event for each of status, assignee and tags that is another. */
export function workEvents({ id: subject, data: before }: Feedback, { data: after }: Feedback): WorkEvent[] {
  const { projectId: propertyId } = after;
  const [from, to] = [before.assignee ?? null, after.assignee ?? null];
  const added = after.tags.filter((tag) => !before.tags.includes(tag));
  const removed = before.tags.filter((tag) => !after.tags.includes(tag));
  const events: (WorkEvent | false)[] = [
    before.status !== after.status && {
      name: 'feedback.status-changed',
      subject,
      data: { propertyId, from: before.status, to: after.status },
    },
    from !== to && { name: 'feedback.assigned', subject, data: { propertyId, from, to } },
    added.length + removed.length > 0 && { name: 'feedback.tagged', subject, data: { propertyId, added, removed } },
  ];
  return events.filter((event) => event !== false);
}

/** What one person gave to one teammate at once. */
interface HandOver {
  readonly subject: string;
  readonly data: EventData<'feedback.handed-over'>;
}

/** Who was given feedback by what was recorded of one call, newest first, and how much; what somebody takes themselves is not given. */
export function handOvers(happened: readonly WorkEvent[], actor: string): HandOver[] {
  const made = new Map<string, HandOver>();
  for (const { name, subject, data } of happened) {
    if (name !== 'feedback.assigned' || data.to === null || data.to === actor) continue;
    const { propertyId, to } = data;
    const first = made.get(to) ?? { subject, data: { propertyId, to, count: 0 } };
    made.set(to, { ...first, data: { ...first.data, count: first.data.count + 1 } });
  }
  return [...made.values()];
}

/** What happened to a piece of feedback as its history shows it; other events are left out. */
export const historyOf = (events: readonly RecordedEvent[]): HistoryEntry[] =>
  events.filter(isOfHistory).map(({ id: _id, accountId: _account, subject: _subject, ...entry }) => entry);

type HistoryEvent = Extract<RecordedEvent, { readonly name: HistoryEntry['name'] }>;
const isOfHistory = (event: RecordedEvent): event is HistoryEvent => HISTORY.some((name) => name === event.name);
