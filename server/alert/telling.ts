import { createHash } from 'node:crypto';
import {
  afterLoudMinutes,
  firstWords,
  isQuiet,
  MOST_ALERTS,
  MOST_CONTACTS_IN_DIGEST,
  MOST_IN_DIGEST,
  quietUntil,
} from '#contract/alert/alert.ts';
import { HOUR, MINUTE } from '#contract/core/time.ts';
import type { Feedback } from '#contract/feedback/feedback.ts';
import { isAskingSince, isWaiting } from '#contract/feedback/work.ts';
import { pageLink, type UrgentFeedback } from '#contract/mail/mail.ts';
import { type Property, zoneOf } from '#contract/property/property.ts';
import * as feedback from '../feedback/store.ts';
import type { Notify, Ring } from '../platform/live/notify.ts';
import type { SendMail, WithdrawMail } from '../platform/mailer/send-mail.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { ListLinks } from '../property/property.ts';
import * as properties from '../property/store.ts';
import * as tools from '../tool/store.ts';
import * as users from '../user/store.ts';
import type { AlertLinks } from './links.ts';
import * as store from './store.ts';

/** Decides what a person is told now, together or later, in the transaction that it is called in (docs/rules.md#alerts). */
export interface Telling {
  /** Tells a person what is due. Where another process is at that, it is left to it. */
  tell(scope: AccountScope, userId: string): Promise<void>;
  /** A visitor changed what was told, at this moment (UTC ms): the mail is rewritten where it has not left. */
  amended(scope: AccountScope, feedbackId: string, at: number): Promise<void>;
  /** Begins to count the minutes, from a moment on (UTC ms), after which the next person hears of feedback, where the property says who. */
  beginEscalation(scope: AccountScope, feedbackId: string, from: { readonly place: Property; readonly at: number }): Promise<void>;
  /** Tells the next person of feedback that nobody has opened, where that is due. */
  escalate(scope: AccountScope, feedbackId: string): Promise<void>;
}

interface TellingOptions {
  readonly send: SendMail;
  readonly withdraw: WithdrawMail;
  readonly notify: Notify;
  readonly ring: Ring;
  readonly links: AlertLinks;
  readonly lists: ListLinks;
  /** The configured address. */
  readonly site: string;
}

/** For so long after the first mail a visitor's addition is told, once, when they have added nothing for so long (ms). */
const ADDITION = { within: 2 * MINUTE, pause: 20_000 };
/** The name of the event that the mails are about. */
const REASON = 'feedback.urgent';

/** A person whose mails are being decided on. */
interface Addressee {
  readonly scope: AccountScope;
  readonly userId: string;
  readonly to: string;
}

/** What an alert is about, as it is now. */
interface AlertSubject {
  readonly item: Feedback;
  readonly place: Property;
}

export function openTelling({ send, withdraw, notify, ring, links, lists, site }: TellingOptions): Telling {
  return {
    tell,
    async amended(scope, feedbackId, at) {
      for (const alert of await store.amended(scope, feedbackId, { at, ...ADDITION })) {
        const held = await holdAddressee(scope, alert.userId);
        if (held) await rewrite(held.addressee, alert);
      }
    },
    async beginEscalation(scope, feedbackId, { place, at }) {
      const due = nextDue(place, at);
      if (due) await store.addEscalation(scope, { feedbackId, propertyId: place.id, due });
    },
    async escalate(scope, feedbackId) {
      const row = await store.dueEscalation(scope, feedbackId);
      if (!row) return;
      const place = await properties.byId(scope, row.propertyId);
      const order = place?.data.alerts?.escalation?.to ?? [];
      const isOver = !place || !(await feedback.isUnopened(scope, [feedbackId]));
      const step = isOver ? order.length : await escalateFrom(scope, row, order);
      await store.keepEscalation(scope, { ...row, step }, place && step < order.length ? nextDue(place, scope.now.getTime()) : undefined);
    },
  };

  async function tell(scope: AccountScope, userId: string): Promise<void> {
    const held = await holdAddressee(scope, userId);
    if (!held) return;
    const { addressee, recipient } = held;
    const hour = openHour(recipient, scope.now.getTime());
    for (const alert of await store.due(scope, userId))
      await (alert.told ? tellAddition(addressee, alert, hour) : tellFirst(addressee, alert, hour));
    await tellHeld(addressee, hour);
    await store.keep(scope, userId, hour.kept());
  }

  /** Tells the next person in the order who is of the team and has not heard of it; gives the place after them. */
  async function escalateFrom(scope: AccountScope, { feedbackId, propertyId, step }: store.EscalationRow, order: readonly string[]) {
    const joined = await users.joined(scope, order);
    for (const [at, userId] of order.entries()) {
      if (at < step || !joined.includes(userId)) continue;
      if (await store.isAlerted(scope, feedbackId, userId)) continue;
      const added = await store.add(scope, { feedbackId, propertyId, reason: 'escalated', userIds: [userId] });
      await notify(scope, { to: [userId], kind: added.isAsking ? 'contact' : 'unopened', cause: feedbackId, feedbackId });
      for (const each of added.now) await tell(scope, each);
      return at + 1;
    }
    return order.length;
  }

  /** Tells one piece of feedback by a mail of its own, unless somebody has dealt with it, or it has to wait. */
  async function tellFirst(addressee: Addressee, alert: store.Alert, hour: MailHour): Promise<void> {
    const { scope } = addressee;
    const told = await waitingOf(scope, alert);
    if (!told) return store.change(scope, alert, { due: null });
    const quiet = quietEndOf(told.place, scope.now);
    if (quiet) return store.change(scope, alert, { held: 'quiet', due: quiet });
    // A wish to be contacted goes into a mail about the same feedback that has not left.
    if (!(await rewrite(addressee, alert))) {
      const later = hour.count();
      if (later) return store.change(scope, alert, { held: 'hour', due: later });
      await mail(addressee, alert, told);
    }
    const kind = alert.asked ? 'contact' : alert.reason === 'escalated' ? 'unopened' : 'urgent';
    await ring(scope, { to: alert.userId, reason: REASON, about: { kind, cause: alert.feedbackId } });
  }

  /** Tells what a visitor added to what was told, once; until then it is looked at again, for as long as additions are told. */
  async function tellAddition(addressee: Addressee, alert: store.Alert, hour: MailHour): Promise<void> {
    const { scope } = addressee;
    const told = await waitingOf(scope, alert);
    if (!told) return store.change(scope, alert, { due: null });
    if (alert.said?.equals(saidIn(told.item))) return store.change(scope, alert, { due: lookAgain(alert, scope.now) });
    if (await rewrite(addressee, alert)) return;
    const later = hour.count();
    if (later) return store.change(scope, alert, { told: null, held: 'hour', due: later });
    await mail(addressee, alert, { ...told, isAddition: true });
  }

  /** Writes a mail anew that has not left; without a word where the visitor took back what was urgent. False where it has left. */
  async function rewrite(addressee: Addressee, alert: store.Alert): Promise<boolean> {
    const { scope } = addressee;
    if (alert.deliveryId === null || !(await withdraw(scope, alert.deliveryId))) return false;
    await links.forget(scope, alert);
    const told = await waitingOf(scope, alert);
    if (told) await mail(addressee, alert, told);
    else await store.change(scope, alert, { told: null, asked: null, deliveryId: null, said: null, due: null });
    return true;
  }

  /** Sends the mail about one piece of feedback, and keeps what it said. */
  async function mail(
    { scope, to }: Addressee,
    alert: store.Alert,
    { item, place, isAddition = false }: AlertSubject & { readonly isAddition?: boolean },
  ): Promise<void> {
    const told = alert.told ?? scope.now;
    const isUnopened = alert.reason === 'escalated' && (await feedback.isUnopened(scope, [item.id]));
    const about: UrgentFeedback['about'] = isAddition ? 'added' : isUnopened ? 'unopened' : 'new';
    const [words, take] = [await wordsOf(scope, { item, place }), await links.make(scope, alert)];
    const { accountId } = scope;
    // Whoever hears next is on no list of those who always do.
    const leave =
      alert.reason === 'listed' ? lists.leave({ accountId, propertyId: place.id, userId: alert.userId, list: 'complaints' }) : undefined;
    const props = { ...words, about, link: pageLink(site, `/?id=${item.id}`), take, ...(leave !== undefined && { leave }) };
    const thread = isAddition ? (alert.deliveryId ?? undefined) : undefined;
    const { id: deliveryId } = await send(scope, { to, mail: 'urgent-feedback', props, reason: REASON, thread });
    await store.change(scope, alert, {
      told,
      said: saidIn(item),
      due: isAddition ? null : lookAgain({ told }, scope.now),
      ...(!isAddition && { deliveryId }),
    });
  }

  /** Tells what was held by one mail, without what somebody has opened meanwhile. What is quiet now is held on. */
  async function tellHeld(addressee: Addressee, hour: MailHour): Promise<void> {
    const { scope, userId, to } = addressee;
    const places = new Map<string, Property>();
    for (const id of await store.heldPlaces(scope, userId)) {
      const place = await properties.byId(scope, id);
      const quiet = place && quietEndOf(place, scope.now);
      if (quiet) await store.holdLonger(scope, { userId, propertyIds: [id], held: 'quiet', due: quiet });
      else if (place) places.set(id, place);
    }
    const isOfHour = hour.isOver();
    const held = await store.heldPending(scope, userId);
    if (held.length > 0) {
      const later = isOfHour ? undefined : hour.count();
      if (later) return store.holdLonger(scope, { userId, propertyIds: [...places.keys()], held: 'hour', due: later });
      const props = { ...(await digestOf(scope, { held, places })), why: isOfHour ? 'hour' : 'quiet' } as const;
      await send(scope, { to, mail: 'urgent-digest', props, reason: REASON });
      await ring(scope, { to: userId, reason: REASON, about: { kind: 'digest' } });
    }
    if (isOfHour) hour.close({ isTold: held.length > 0 });
    await store.endHeld(scope, userId);
  }

  async function digestOf(scope: AccountScope, { held, places }: { held: readonly store.HeldAt[]; places: ReadonlyMap<string, Property> }) {
    const total = held.reduce((sum, { count }) => sum + count, 0);
    const asking = held
      .flatMap((each) => each.asking)
      .sort()
      .slice(0, MOST_CONTACTS_IN_DIGEST);
    const others = held.flatMap((each) => each.others).sort();
    const first = [...asking, ...others.slice(0, Math.max(0, MOST_IN_DIGEST - asking.length))];
    const found = new Map((await feedback.some(scope, first)).map((item) => [item.id, item]));
    const items = first.flatMap((id) => found.get(id) ?? []);
    const nameOf = (id: string): string => places.get(id)?.data.displayName ?? '';
    return {
      places: held.map(({ propertyId, count }) => ({ place: nameOf(propertyId), count })),
      items: items.flatMap((item) => {
        const place = places.get(item.data.projectId);
        return place ? [{ ...itemOf({ item, place }), link: pageLink(site, `/?id=${item.id}`) }] : [];
      }),
      more: total - items.length,
      link: pageLink(site, '/urgent'),
    };
  }
}

/** Holds a person who is still of the team. */
async function holdAddressee(
  scope: AccountScope,
  userId: string,
): Promise<{ addressee: Addressee; recipient: store.Recipient } | undefined> {
  const recipient = await store.hold(scope, userId);
  const person = recipient && (await users.byId(scope, userId));
  return recipient && person && { addressee: { scope, userId, to: person.data.emailAddress }, recipient };
}

/** What an alert is about, where a visitor still waits for the team. */
async function waitingOf(scope: AccountScope, { feedbackId, propertyId, asked }: store.Alert): Promise<AlertSubject | undefined> {
  const [item, place] = [await feedback.byId(scope, feedbackId), await properties.byId(scope, propertyId)];
  if (!item || !place) return undefined;
  return isWaiting(item) || (asked && isAskingSince(item, asked.getTime())) ? { item, place } : undefined;
}

/** When a property's quiet hours end, where it has some now. */
function quietEndOf(place: Property, now: Date): Date | undefined {
  const quiet = place.data.alerts?.quiet;
  const zone = zoneOf(place);
  return quiet && isQuiet(quiet, now.getTime(), zone) ? new Date(quietUntil(quiet, now.getTime(), zone)) : undefined;
}

/** When the next person hears of what comes now; undefined where the property names nobody. */
function nextDue(place: Property, at: number): Date | undefined {
  const { quiet, escalation } = place.data.alerts ?? {};
  return escalation && new Date(afterLoudMinutes(escalation.after, at, { quiet, zone: zoneOf(place) }));
}

/** While additions are told, what was told is looked at again at the end of that, so that none is missed. */
function lookAgain({ told }: Pick<store.Alert, 'told'>, now: Date): Date | null {
  const end = new Date((told?.getTime() ?? 0) + ADDITION.within);
  return end > now ? end : null;
}

/** A digest of the words and the contact of feedback: what is told again when it has changed. */
const saidIn = ({ data: { textFeedback, contact } }: Feedback): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([textFeedback, contact?.name, contact?.phone, contact?.email]))
    .digest();

/* ── What mails say ── */

async function wordsOf(scope: AccountScope, { item, place }: AlertSubject) {
  const { rating, textFeedback: text, contact, toolId } = item.data;
  const tool = toolId === undefined ? undefined : await tools.byId(scope, toolId);
  return { place: place.data.displayName, placement: tool?.data.displayName, rating, text, contact, when: whenOf({ item, place }) };
}

const itemOf = ({ item, place }: AlertSubject) => ({
  place: place.data.displayName,
  rating: item.data.rating,
  text: item.data.textFeedback === undefined ? undefined : firstWords(item.data.textFeedback),
  contact: item.data.contact,
  when: whenOf({ item, place }),
});

/** On the property's clock. Where it has none, nobody knows where the reader is. */
function whenOf({ item, place }: AlertSubject): string {
  const zone = zoneOf(place);
  const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: zone }).format(item.data.created);
  return place.data.timeZone === undefined ? `${words} UTC` : words;
}

/* ── How much a person is sent ── */

/** The mails of a person's last hour (docs/limits.md#alerts). */
interface MailHour {
  /** Counts a mail that goes out now; gives the moment until which it is held where it is one too many. */
  count(): Date | undefined;
  /** Whether it is time for the digest of what was held. */
  isOver(): boolean;
  close(options: { readonly isTold: boolean }): void;
  kept(): store.Recipient;
}

/** From the first mail that is one too many, everything waits for the digest, so that nothing overtakes it. */
function openHour({ recent, digest, digested }: store.Recipient, now: number): MailHour {
  let state: store.Recipient = { recent: recent.filter((at) => at > now - HOUR), digest, digested };
  return {
    count() {
      if (state.digest === undefined && state.recent.length < MOST_ALERTS) {
        state = { ...state, recent: [...state.recent, now] };
        return undefined;
      }
      const due = state.digest ?? Math.max(state.recent[0] ?? now, state.digested ?? 0) + HOUR;
      state = { ...state, digest: due };
      return new Date(due);
    },
    isOver: () => state.digest !== undefined && state.digest <= now,
    close({ isTold }) {
      state = { ...state, digest: undefined, digested: isTold ? now : state.digested };
    },
    kept: () => state,
  };
}
