import { HOUR } from '#contract/core/time.ts';
import { type MailName, pageLink } from '#contract/mail/mail.ts';
import { feedPath, sharePath } from '#contract/property/slug.ts';
import type { User } from '#contract/user/user.ts';
import { hostOfWebhook } from '#contract/webhook/webhook.ts';
import * as comments from '../comment/store.ts';
import { type EventSubscriber, subscriber } from '../event/relay.ts';
import * as feedback from '../feedback/store.ts';
import type { OutgoingMail, SendMail } from '../platform/mailer/send-mail.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { isWithin } from '../platform/tenancy/rate-limit.ts';
import * as properties from '../property/store.ts';
import * as tools from '../tool/store.ts';
import * as users from '../user/store.ts';
import * as webhooks from '../webhook/store.ts';
import type { Notice, Notify } from './inbox/inbox.ts';
import * as inbox from './inbox/inbox-store.ts';
import type { SendPush } from './push/pushes.ts';

/* What teammates are notified of through every channel. `alerts/` handles urgent feedback, `mail/subscribers.ts` the rest. */

interface Channels {
  readonly send: SendMail;
  readonly notify: Notify;
  readonly push: SendPush;
  /** The configured address. */
  readonly site: string;
}

interface TeamNotice<Name extends MailName> extends Omit<Notice, 'to'>, Omit<OutgoingMail<Name>, 'to'> {
  readonly people: readonly User[];
  /** True to send neither a push nor a mail. */
  readonly isInboxOnly?: boolean;
}

/** Notifies people in their inboxes, on their devices and by mail. */
async function notifyPeople<Name extends MailName>(
  { send, notify, push }: Channels,
  scope: AccountScope,
  { people, isInboxOnly = false, mail, props, reason, ...notice }: TeamNotice<Name>,
): Promise<void> {
  const { kind, cause } = notice;
  await notify(scope, { ...notice, to: people.map(({ id }) => id) });
  for (const { id, data } of isInboxOnly ? [] : people) {
    await push(scope, { to: id, reason, about: { kind, cause } });
    await send(scope, { to: data.emailAddress, mail, props, reason });
  }
}

/** Notifies teammates mentioned in a comment, unless it was deleted or they have left. */
export const mentionedMail = (channels: Channels): EventSubscriber =>
  subscriber('mentioned mail', ['comment.created', 'comment.edited'], async (scope, { name: reason, subject: cause, actor, data }) => {
    const { mentioned, feedbackId, propertyId } = data;
    if (mentioned.length === 0 || !(await comments.byId(scope, cause))) return;
    const [author, property] = [await users.byId(scope, actor), await properties.byId(scope, propertyId)];
    if (!author || !property) return;
    const people = (await users.all(scope)).filter(({ id }) => mentioned.includes(id));
    const link = pageLink(channels.site, `/?id=${feedbackId}`);
    const props = { by: author.data.displayName, place: property.data.displayName, link };
    await notifyPeople(channels, scope, { people, kind: 'mention', cause, feedbackId, by: actor, mail: 'mentioned', props, reason });
  });

/** Mails about assignments per person who assigns. Any more are only in the inbox. @limit assignments */
const ASSIGNMENTS = { name: 'mails about assignments', most: 100, within: HOUR };

/** Notifies a teammate of each assignment once, unless it was undone or they have left. */
export const assignedMail = (channels: Channels): EventSubscriber =>
  subscriber('assigned mail', ['feedback.handed-over'], async (scope, { id, name: reason, subject: feedbackId, actor: by, data }) => {
    const { to, count, propertyId } = data;
    const [author, person] = [await users.byId(scope, by), await users.byId(scope, to)];
    const [item, property] = [await feedback.byId(scope, feedbackId), await properties.byId(scope, propertyId)];
    if (!author || !person || !property || item?.data.assignee !== to) return;
    const link = pageLink(channels.site, count === 1 ? `/?id=${feedbackId}` : `/?range=all&assignee=${to}`);
    const props = { by: author.data.displayName, place: property.data.displayName, count, link };
    const notice = { kind: 'assigned', cause: String(id), feedbackId, by, count } as const;
    const isInboxOnly = !(await isWithin(scope, ASSIGNMENTS, by));
    await notifyPeople(channels, scope, { people: [person], isInboxOnly, ...notice, mail: 'assigned', props, reason });
  });

/** Notifies the admins that deliveries to a webhook fail, or that its receiver is gone. */
export const webhookFailingMail = (channels: Channels): EventSubscriber =>
  subscriber('webhook failing mail', ['webhook.failing', 'webhook.gone'], async (scope, { id, name: reason, subject: webhookId }) => {
    const webhook = await webhooks.byId(scope, webhookId);
    if (!webhook) return;
    const link = pageLink(channels.site, '/account/webhooks');
    const props = { host: hostOfWebhook(webhook.data.url), isGone: reason === 'webhook.gone', link };
    const notice = { kind: 'webhook', cause: String(id), webhookId } as const;
    await notifyPeople(channels, scope, { people: await users.admins(scope), ...notice, mail: 'webhook-failing', props, reason });
  });

/** Notifies the admins that a visitor reported a conversation. */
export const reportedMail = (channels: Channels): EventSubscriber =>
  subscriber('reported mail', ['conversation.reported'], async (scope, { name: reason, subject: feedbackId, data: { propertyId } }) => {
    const property = await properties.byId(scope, propertyId);
    if (!property) return;
    const props = { place: property.data.displayName, link: pageLink(channels.site, `/?id=${feedbackId}`) };
    const notice = { kind: 'reported', cause: feedbackId, feedbackId } as const;
    await notifyPeople(channels, scope, { people: await users.admins(scope), ...notice, mail: 'conversation-reported', props, reason });
  });

/** Notifies the recipients of a property's alerts that a kiosk is silent, or the admins if there are none. */
export const silentKioskMail = (channels: Channels): EventSubscriber =>
  subscriber('silent kiosk mail', ['kiosk.silent'], async (scope, { id, name: reason, subject: kioskId, data: { propertyId } }) => {
    const [kiosk, property] = [await tools.byId(scope, kioskId), await properties.byId(scope, propertyId)];
    if (!kiosk || !property) return;
    const { displayName: place, notifications } = property.data;
    const recipients = (await users.all(scope)).filter((user) => notifications.complaints.includes(user.id));
    const people = recipients.length > 0 ? recipients : await users.admins(scope);
    const notice = { kind: 'kiosk', cause: String(id), kioskId, mail: 'kiosk-silent', reason } as const;
    for (const [level, path] of Object.entries({ admin: sharePath(place), user: feedPath(place) })) {
      const props = { kiosk: kiosk.data.displayName, place, link: pageLink(channels.site, path) };
      await notifyPeople(channels, scope, { ...notice, props, people: people.filter(({ data }) => data.level === level) });
    }
  });

/** Deletes the notifications of a deleted test answer. A foreign key has done so before, except in a cluster, which doesn't have it. */
export const discardedNotifications: EventSubscriber = subscriber(
  'discarded notifications',
  ['feedback.discarded'],
  (scope, { subject: feedbackId }) => inbox.deleteOfFeedback(scope, feedbackId),
);
