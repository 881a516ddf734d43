import { afterLoudMinutes, isQuiet, MOST_ALERTS, quietUntil } from '#contract/alert/alert.ts';
import { isAskingSince, isUnopened, isWaiting, type OpenState, type WorkState } from '#contract/feedback/work.ts';
import { type Property, zoneOf } from '#contract/property/property.ts';
import { countMail, type MailHistory } from './mail-limit.ts';

/* When a person is notified of urgent feedback, and why (docs/rules.md#alerts). Pure: the same facts give the same decision. */

/** Whether to notify a person now, later (at `due`, UTC ms) or never; the reason to store; and their mail history after it. */
export type Decision = { readonly reason: string; readonly history: MailHistory } & (
  | { readonly when: 'now' | 'never' }
  | { readonly when: 'later'; readonly waitsFor: 'quiet' | 'hour'; readonly due: number }
);

interface MailFacts {
  readonly now: number;
  readonly property: Property;
  readonly history: MailHistory;
}

export const SENT = 'sent';
export const SENT_IN_DIGEST = 'sent in a digest';
export const DELETED = 'deleted';

/** Decides about feedback that a person wasn't notified of yet. `closed` is its `closedReason`. */
export function decide({ closed, ...facts }: MailFacts & { readonly closed: string | null }): Decision {
  const { now, property, history } = facts;
  if (closed !== null) return { when: 'never', reason: closed, history };
  const due = quietEndOf(property, now);
  return due === undefined ? decideByLimit(facts) : { when: 'later', waitsFor: 'quiet', due, reason: quietReason(due, property), history };
}

/** Decides about a mail that quiet hours don't defer, such as one about what a visitor added. */
export function decideByLimit({ now, property, history: before }: MailFacts): Decision {
  const { history, deferredUntil: due } = countMail(before, now);
  if (due === undefined) return { when: 'now', reason: SENT, history };
  return { when: 'later', waitsFor: 'hour', due, reason: digestReason(due, property), history };
}

export const quietReason = (due: number, property: Property): string => `held: quiet hours until ${clock(due, property)}`;
export const digestReason = (due: number, property: Property): string =>
  `over ${MOST_ALERTS} this hour: in the digest at ${clock(due, property)}`;

const clock = (at: number, property: Property): string =>
  new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: zoneOf(property) }).format(at);

/** Returns when a property's quiet hours end (UTC ms); undefined outside them. */
export function quietEndOf(property: Property, now: number): number | undefined {
  const quiet = property.data.alerts?.quiet;
  const zone = zoneOf(property);
  return quiet && isQuiet(quiet, now, zone) ? quietUntil(quiet, now, zone) : undefined;
}

/** Returns when to notify the next person if no one opens the feedback; undefined without an escalation order. */
export function nextEscalation(property: Property, from: number): Date | undefined {
  const { quiet, escalation } = property.data.alerts ?? {};
  return escalation && new Date(afterLoudMinutes(escalation.after, from, { quiet, zone: zoneOf(property) }));
}

interface ClosedFacts {
  /** When the visitor's request to be contacted was added to the alert. */
  readonly asked: Date | null;
  /** The name of the teammate whom `openerOf` returns. */
  readonly openedBy: string | undefined;
}

/** Returns why feedback gets no mail of its own; null while its visitor waits. */
export const closedReason = (item: WorkState, facts: ClosedFacts): string | null =>
  isWaiting(item) ? null : reasonUnlessAsking(item, facts);

/** Returns why a digest leaves feedback out; null while no one has opened it, or its visitor waits to be contacted. */
export function leftOutReason(item: OpenState | undefined, facts: ClosedFacts): string | null {
  if (!item) return DELETED;
  return isUnopened(item) ? null : reasonUnlessAsking(item, facts);
}

function reasonUnlessAsking(item: WorkState, { asked, openedBy }: ClosedFacts): string | null {
  if (asked && isAskingSince(item, asked.getTime())) return null;
  if (item.data.suspected) return 'suspected';
  return openedBy === undefined ? 'no longer urgent' : `already opened by ${openedBy}`;
}

/** The id of the teammate who set the status of feedback, took it or read it. */
export const openerOf = ({ data: { status, statusBy, assignee }, readBy }: WorkState & Partial<OpenState>): string | undefined =>
  (status === 'new' ? undefined : statusBy) ?? assignee ?? readBy;
