import { firstWords, MOST_CONTACTS_IN_DIGEST, MOST_IN_DIGEST } from '#contract/alert/alert.ts';
import { isAskingSince } from '#contract/feedback/work.ts';
import { pageLink } from '#contract/mail/mail.ts';
import type { AlertResult } from '#contract/notification/notification.ts';
import type { Property } from '#contract/property/property.ts';
import * as feedback from '../../feedback/store.ts';
import type { AccountScope } from '../../platform/tenancy/access.ts';
import * as properties from '../../property/store.ts';
import { leftOutResult, quietEndOf } from '../policy/decision.ts';
import { closeDigest, countMail, isDigestDue, type MailHistory } from '../policy/mail-limit.ts';
import { type AlertContext, REASON, type Recipient, sentAt } from './alert-mail.ts';
import * as store from './alert-store.ts';

type Properties = ReadonlyMap<string, Property>;

/**
 * Sends a person's deferred alerts that are due in one mail, without feedback that someone has opened. Alerts of properties in
 * quiet hours are deferred again. Returns the person's mail history after it.
 */
export async function deliverDigest(context: AlertContext, recipient: Recipient, before: MailHistory): Promise<MailHistory> {
  const { scope, userId, to } = recipient;
  const now = scope.now.getTime();
  const isDue = isDigestDue(before, now);
  const places = await propertiesOutsideQuietHours(recipient);
  const next = countMail(before, now);
  const due = isDue ? undefined : next.deferredUntil;
  if (due !== undefined && (await isNeeded(recipient))) {
    for (const propertyId of places.keys()) await store.defer(scope, { userId, propertyId, waitsFor: 'hour', due: new Date(due) });
    return next.history;
  }
  const content = await endDeferred(recipient);
  const isSent = content.counts.size > 0;
  if (isSent) {
    const props = { ...(await propsOf(context, scope, { ...content, places })), why: isDue ? 'hour' : 'quiet' } as const;
    const { id } = await context.send(scope, { to, mail: 'urgent-digest', props, reason: REASON });
    await store.setDigest(scope, userId, id);
    await context.push(scope, { to: userId, reason: REASON, about: { kind: 'digest' } });
  }
  if (isDue) return closeDigest(before, { now, isSent });
  return isSent ? next.history : before;
}

/** Returns the properties of the alerts that are not in quiet hours, and defers the alerts of the others again. */
async function propertiesOutsideQuietHours({ scope, userId }: Recipient): Promise<Properties> {
  const outsideQuietHours = new Map<string, Property>();
  for (const propertyId of await store.deferredProperties(scope, userId)) {
    const property = await properties.byId(scope, propertyId);
    if (!property) continue;
    const end = quietEndOf(property, scope.now.getTime());
    if (end === undefined) outsideQuietHours.set(propertyId, property);
    else await store.defer(scope, { userId, propertyId, waitsFor: 'quiet', due: new Date(end) });
  }
  return outsideQuietHours;
}

/* ── Contents ── */

interface DeferredAlert {
  readonly alert: store.Alert;
  readonly isAsking: boolean;
  /** Whether the digest contains the feedback, or why not. */
  readonly result: AlertResult;
}

const BATCH = 500;

/** Yields a person's deferred alerts that are due, oldest feedback first. */
async function* walkDeferred({ scope, userId }: Recipient): AsyncGenerator<readonly DeferredAlert[]> {
  let rows: store.Alert[] = [];
  do {
    rows = await store.deferred(scope, userId, { after: rows.at(-1)?.feedbackId ?? '', most: BATCH });
    yield await withResults(scope, rows);
  } while (rows.length === BATCH);
}

/** Returns alerts with whether a digest contains them now. */
async function withResults(scope: AccountScope, rows: readonly store.Alert[]): Promise<DeferredAlert[]> {
  const items = await feedback.openStates(
    scope,
    rows.map(({ feedbackId }) => feedbackId),
  );
  return rows.map((alert) => {
    const { asked, feedbackId } = alert;
    const item = items.get(feedbackId);
    const isAsking = asked !== null && item !== undefined && isAskingSince(item, asked.getTime());
    return { alert, isAsking, result: leftOutResult(item, { asked }) ?? { result: 'sent-in-digest' } };
  });
}

const isContained = ({ result }: DeferredAlert): boolean => result.result === 'sent-in-digest';

/** Returns true if the digest has any content. */
async function isNeeded(recipient: Recipient): Promise<boolean> {
  for await (const batch of walkDeferred(recipient)) if (batch.some(isContained)) return true;
  return false;
}

interface DigestContent {
  /** The amount of feedback by property. */
  readonly counts: Map<string, number>;
  /** The first feedback of visitors who ask to be contacted, and the first of others. */
  readonly asking: string[];
  readonly others: string[];
}

/** Ends a person's deferred alerts that are due, each with its result, and returns what the digest contains. */
async function endDeferred(recipient: Recipient): Promise<DigestContent> {
  const { scope, userId } = recipient;
  const content: DigestContent = { counts: new Map(), asking: [], others: [] };
  for await (const batch of walkDeferred(recipient)) {
    addTo(content, batch);
    await store.endDeferred(
      scope,
      userId,
      batch.map(({ alert, result }) => ({ feedbackId: alert.feedbackId, ...result })),
    );
  }
  return content;
}

function addTo({ counts, asking, others }: DigestContent, batch: readonly DeferredAlert[]): void {
  for (const { alert, isAsking } of batch.filter(isContained)) {
    counts.set(alert.propertyId, (counts.get(alert.propertyId) ?? 0) + 1);
    const [ids, most] = isAsking ? [asking, MOST_CONTACTS_IN_DIGEST] : [others, MOST_IN_DIGEST];
    if (ids.length < most) ids.push(alert.feedbackId);
  }
}

/** Replaces an unsent digest by one with the feedback as it is now. Does nothing if it has been sent. */
export async function rewriteDigest(context: AlertContext, { scope, to }: Recipient, { digestId, digested }: SentDigest): Promise<void> {
  if (!(await context.withdraw(scope, digestId))) return;
  const batch = await withResults(scope, await store.ofDigest(scope, digestId));
  const content: DigestContent = { counts: new Map(), asking: [], others: [] };
  addTo(content, batch);
  const places = new Map<string, Property>();
  for (const propertyId of content.counts.keys()) {
    const property = await properties.byId(scope, propertyId);
    if (property) places.set(propertyId, property);
  }
  const why = batch.some(({ alert }) => alert.notified?.getTime() === digested) ? 'hour' : 'quiet';
  const props = { ...(await propsOf(context, scope, { ...content, places })), why } as const;
  const next = places.size > 0 ? await context.send(scope, { to, mail: 'urgent-digest', props, reason: REASON }) : undefined;
  await store.replaceDigest(scope, digestId, next?.id ?? null);
}

type SentDigest = Pick<MailHistory, 'digested'> & { readonly digestId: string };

async function propsOf(
  { site }: AlertContext,
  scope: AccountScope,
  { counts, asking, others, places }: DigestContent & { readonly places: Properties },
) {
  const ids = [...asking, ...others.slice(0, Math.max(0, MOST_IN_DIGEST - asking.length))];
  const items = new Map((await feedback.some(scope, ids)).map((item) => [item.id, item]));
  const listedItems = ids.flatMap((id) => items.get(id) ?? []);
  return {
    places: [...counts].map(([propertyId, count]) => ({ place: places.get(propertyId)?.data.displayName ?? '', count })),
    items: listedItems.flatMap((item) => {
      const property = places.get(item.data.projectId);
      const { rating, textFeedback, contact } = item.data;
      const text = textFeedback === undefined ? undefined : firstWords(textFeedback);
      const link = pageLink(site, `/?id=${item.id}`);
      return property ? [{ place: property.data.displayName, rating, text, contact, when: sentAt({ item, property }), link }] : [];
    }),
    more: [...counts.values()].reduce((total, count) => total + count, 0) - listedItems.length,
    link: pageLink(site, '/urgent'),
  };
}
