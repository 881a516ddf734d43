import { badField } from '../core/errors.ts';
import type { EventData } from '../events.ts';
import type { Feedback } from './feedback.ts';
import { MOST_TAGS, tagsAfter, type WorkChange } from './work.ts';

/* The effects of a team's change to feedback, shared by the server and the demo (docs/rules.md#working-on-feedback). */

interface ChangeMaker {
  readonly actor: string;
  /** UTC ms. */
  readonly now: number;
  /** The index of the change among those that were sent. */
  readonly at: number;
}

/** Returns the feedback after a change, without the unread mark; the same object if nothing changes. Throws if there are too many tags. */
export function applyChange(before: Feedback, change: WorkChange, { actor, now, at }: ChangeMaker): Feedback {
  const { assignee: previousAssignee = null, ...data } = before.data;
  const { status = data.status, assignee = previousAssignee } = change;
  const tags = tagsAfter(data.tags, change);
  if (tags.length > MOST_TAGS) throw badField(`changes.${at}.addTags`, `At most ${MOST_TAGS} tags`);
  if (status === data.status && assignee === previousAssignee && areSame(tags, data.tags)) return before;
  const set = status !== data.status && { status, statusBy: actor, statusAt: now };
  return { ...before, data: { ...data, ...set, ...(assignee !== null && { assignee }), tags } };
}

const areSame = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((tag, index) => tag === b[index]);

type WorkEventName = 'feedback.status-changed' | 'feedback.assigned' | 'feedback.tagged';

/** An event that records a change. */
export type WorkEvent = {
  readonly [Name in WorkEventName]: { readonly name: Name; readonly subject: string; readonly data: EventData<Name> };
}[WorkEventName];

/** Returns the events of a change: one for each of status, assignee and tags that differs. */
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

/** Feedback that one person assigned to one teammate at once. */
interface HandOver {
  readonly subject: string;
  readonly data: EventData<'feedback.handed-over'>;
}

/** Returns how much feedback the events of one call (newest first) assigned to each teammate, without what the actor took. */
export function handOvers(events: readonly WorkEvent[], actor: string): HandOver[] {
  const byTeammate = new Map<string, HandOver>();
  for (const { name, subject, data } of events) {
    if (name !== 'feedback.assigned' || data.to === null || data.to === actor) continue;
    const { propertyId, to } = data;
    const first = byTeammate.get(to) ?? { subject, data: { propertyId, to, count: 0 } };
    byTeammate.set(to, { ...first, data: { ...first.data, count: first.data.count + 1 } });
  }
  return [...byTeammate.values()];
}
