import { afterLoudMinutes, isQuiet, quietUntil } from '#contract/alert/alert.ts';
import { isAskingSince, isUnopened, isWaiting, type OpenState, type WorkState } from '#contract/feedback/work.ts';
import type { AlertResult } from '#contract/notification/notification.ts';
import { type Property, zoneOf } from '#contract/property/property.ts';
import { countMail, type MailHistory } from './mail-limit.ts';

/* When a person is notified of urgent feedback, and why (docs/rules.md#alerts). Pure: the same facts give the same decision. */

/** Whether to send a person a mail now or later, and their mail history after it. */
type MailDecision = { readonly history: MailHistory } & ({ readonly when: 'now' } | Deferral);

/** Whether to notify a person now, later or never. */
type Decision = MailDecision | { readonly when: 'never'; readonly result: AlertResult; readonly history: MailHistory };

/** A mail that waits until `due` (UTC ms). */
export interface Deferral {
  readonly when: 'later';
  readonly waitsFor: 'quiet' | 'hour';
  readonly due: number;
}

interface MailFacts {
  readonly now: number;
  readonly history: MailHistory;
}

interface AlertFacts extends MailFacts {
  readonly property: Property;
  readonly closed: AlertResult | null;
}

/** Decides about feedback that a person wasn't notified of yet. `closed` is its `closedResult`. */
export function decide({ now, history, property, closed }: AlertFacts): Decision {
  if (closed) return { when: 'never', result: closed, history };
  const due = quietEndOf(property, now);
  return due === undefined ? decideByLimit({ now, history }) : { when: 'later', waitsFor: 'quiet', due, history };
}

/** Decides about a mail that quiet hours don't defer, such as one about what a visitor added. */
export function decideByLimit({ now, history: before }: MailFacts): MailDecision {
  const { history, deferredUntil: due } = countMail(before, now);
  return due === undefined ? { when: 'now', history } : { when: 'later', waitsFor: 'hour', due, history };
}

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
}

/** Returns why feedback gets no mail of its own; null while its visitor waits. */
export const closedResult = (item: WorkState, facts: ClosedFacts): AlertResult | null =>
  isWaiting(item) ? null : resultUnlessAsking(item, facts);

/** Returns why a digest leaves feedback out; null while no one has opened it, or its visitor waits to be contacted. */
export function leftOutResult(item: OpenState | undefined, facts: ClosedFacts): AlertResult | null {
  if (!item) return { result: 'deleted' };
  return isUnopened(item) ? null : resultUnlessAsking(item, facts);
}

function resultUnlessAsking(item: WorkState & Partial<OpenState>, { asked }: ClosedFacts): AlertResult | null {
  if (asked && isAskingSince(item, asked.getTime())) return null;
  if (item.data.suspected) return { result: 'suspected' };
  const openedBy = openerOf(item);
  return openedBy === undefined ? { result: 'no-longer-urgent' } : { result: 'opened', openedBy };
}

/** The id of the teammate who set the status of feedback, took it or read it. */
const openerOf = ({ data: { status, statusBy, assignee }, readBy }: WorkState & Partial<OpenState>): string | undefined =>
  (status === 'new' ? undefined : statusBy) ?? assignee ?? readBy;
