import type { FastifyBaseLogger } from 'fastify';
import { DELETED_FOR } from '#contract/account/account.ts';
import { HOUR } from '#contract/core/time.ts';
import { formPath } from '#contract/form/form-page.ts';
import { momentInWords, pageLink } from '#contract/mail/mail.ts';
import * as accounts from '../account/store.ts';
import * as comments from '../comment/store.ts';
import { type EventSubscriber, subscriber } from '../event/relay.ts';
import * as feedback from '../feedback/store.ts';
import * as forms from '../form/store.ts';
import type { Notify, Ring } from '../platform/live/notify.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import { isWithin } from '../platform/tenancy/rate-limit.ts';
import * as properties from '../property/store.ts';
import * as users from '../user/store.ts';

interface BellOptions {
  readonly notify: Notify;
  readonly ring: Ring;
}

interface MailSubscriberOptions {
  readonly send: SendMail;
  /** The configured address. */
  readonly site: string;
}

interface PlanMailOptions extends MailSubscriberOptions {
  /** Whether payments move no money. */
  readonly isTestMode: boolean;
}

/** For a mail that its asker wants to find in the log. */
interface LoggedMailOptions extends MailSubscriberOptions {
  readonly log: Pick<FastifyBaseLogger, 'info'>;
}

/** Of one person. Whoever signs up with another client asks for it as well, right after it went out by itself. */
const WELCOMES = { name: 'welcome mails', most: 1, within: HOUR };

/** Sends the welcome mail to whoever has set the account up, and to an admin who asks for it. */
export const welcomeMail = ({ send, site, log }: LoggedMailOptions): EventSubscriber =>
  subscriber('welcome mail', ['account.set-up', 'account.welcome-requested'], async (scope, event) => {
    const { name: reason, actor } = event;
    const [account, person] = [await accounts.byScope(scope), await users.byId(scope, actor)];
    if (!account || !person) return;
    const { displayName: name, emailAddress: to } = person.data;
    if (!(await isWithin(scope, WELCOMES, actor))) return;
    const props = { name, company: account.displayName, link: pageLink(site) };
    const { subject } = await send(scope, { to, mail: 'welcome', props, reason });
    if (event.name === 'account.set-up' || event.data.debug) log.info({ accountId: scope.accountId, subject }, 'a mail was asked for');
  });

/** Tells the admins that their account was deleted, and until when they can bring it back. */
export const accountDeletedMail = ({ send, site }: MailSubscriberOptions): EventSubscriber =>
  subscriber('account-deleted mail', ['account.deleted'], async (scope, { name: reason }) => {
    const account = await accounts.deletionOf(scope);
    if (!account?.deleted) return;
    const props = { company: account.displayName, until: momentInWords(account.deleted.getTime() + DELETED_FOR), link: pageLink(site) };
    for (const { data } of await users.admins(scope)) await send(scope, { to: data.emailAddress, mail: 'account-deleted', props, reason });
  });

/** Tells the admins that a trial ends or has ended, that a payment failed, and that a subscription ended. */
export const planMail = ({ send, site, isTestMode }: PlanMailOptions): EventSubscriber =>
  subscriber('plan mail', PLAN_NEWS, async (scope, event) => {
    const account = await accounts.byScope(scope);
    if (!account) return;
    const until = 'endsAt' in event.data ? event.data.endsAt : 'graceEndsAt' in event.data ? event.data.graceEndsAt : undefined;
    const props = {
      about: ABOUT_PLANS[event.name],
      company: account.displayName,
      ...(until !== undefined && { until: momentInWords(until) }),
      isTestMode,
      link: pageLink(site, PLAN_PANEL),
    };
    for (const { data } of await users.admins(scope))
      await send(scope, { to: data.emailAddress, mail: 'plan-news', props, reason: event.name });
  });

const PLAN_NEWS = ['subscription.trial-ending', 'subscription.trial-ended', 'subscription.payment-failed', 'subscription.ended'] as const;
const ABOUT_PLANS = {
  'subscription.trial-ending': 'trial-ending',
  'subscription.trial-ended': 'trial-ended',
  'subscription.payment-failed': 'payment-failed',
  'subscription.ended': 'ended',
} as const;
/** Where a plan is chosen, and a payment updated. */
const PLAN_PANEL = '/?panel=plan';

/** Sends a form's link to the person who asked for it. */
export const formLinkMail = ({ send, site }: MailSubscriberOptions): EventSubscriber =>
  subscriber('form-link mail', ['form.link-requested'], async (scope, { name: reason, subject, actor }) => {
    const [form, person] = [await forms.byId(scope, subject), await users.byId(scope, actor)];
    if (!form || !person) return;
    const [link, trial] = [site + formPath(form.id), site + formPath(form.id, { test: true })];
    await send(scope, { to: person.data.emailAddress, mail: 'form-link', props: { place: form.data.displayName, link, trial }, reason });
  });

/** Sends the mail that says a form is ready to the person who requested it. */
export const formReadyMail = ({ send, site, log }: LoggedMailOptions): EventSubscriber =>
  subscriber('form-ready mail', ['form.announcement-requested'], async (scope, { name: reason, subject: formId, actor, data }) => {
    const [form, person] = [await forms.byId(scope, formId), await users.byId(scope, actor)];
    if (!form || !person) return;
    const props = { place: form.data.displayName, link: pageLink(site, data.path) };
    const { subject } = await send(scope, { to: person.data.emailAddress, mail: 'form-ready', props, reason });
    if (data.debug) log.info({ accountId: scope.accountId, subject }, 'a mail was asked for');
  });

/** Tells teammates that a comment mentions them, unless it was deleted or they left meanwhile. */
export const mentionedMail = ({ send, notify, ring, site }: MailSubscriberOptions & BellOptions): EventSubscriber =>
  subscriber('mentioned mail', ['comment.created', 'comment.edited'], async (scope, { name: reason, subject, actor, data }) => {
    if (data.mentioned.length === 0 || !(await comments.byId(scope, subject))) return;
    const [author, place] = [await users.byId(scope, actor), await properties.byId(scope, data.propertyId)];
    if (!author || !place) return;
    const { displayName: by } = author.data;
    const props = { by, place: place.data.displayName, link: pageLink(site, `/?id=${data.feedbackId}`) };
    for (const id of data.mentioned) {
      const person = await users.byId(scope, id);
      if (!person) continue;
      await notify(scope, { to: [id], kind: 'mention', cause: subject, feedbackId: data.feedbackId, by: actor });
      await ring(scope, { to: id, reason, about: { kind: 'mention', cause: subject } });
      await send(scope, { to: person.data.emailAddress, mail: 'mentioned', props, reason });
    }
  });

/** Of one person; each is a mail to a teammate. What goes beyond stands in the feed all the same. */
const ASSIGNMENTS = { name: 'mails about assignments', most: 100, within: HOUR };

/** Tells a teammate that feedback was assigned to them, one mail for each time, unless that was taken back or they left meanwhile. */
export const assignedMail = ({ send, notify, ring, site }: MailSubscriberOptions & BellOptions): EventSubscriber =>
  subscriber(
    'assigned mail',
    ['feedback.handed-over'],
    async (scope, { id, name: reason, subject, actor, data: { to, count, propertyId } }) => {
      const [author, person] = [await users.byId(scope, actor), await users.byId(scope, to)];
      const [item, place] = [await feedback.byId(scope, subject), await properties.byId(scope, propertyId)];
      if (!author || !person || !place || item?.data.assignee !== to) return;
      await notify(scope, { to: [to], kind: 'assigned', cause: String(id), feedbackId: subject, by: actor, count });
      if (!(await isWithin(scope, ASSIGNMENTS, actor))) return;
      await ring(scope, { to, reason, about: { kind: 'assigned', cause: String(id) } });
      const link = pageLink(site, count === 1 ? `/?id=${subject}` : `/?range=all&assignee=${to}`);
      const props = { by: author.data.displayName, place: place.data.displayName, count, link };
      await send(scope, { to: person.data.emailAddress, mail: 'assigned', props, reason });
    },
  );

interface OperatorMailOptions extends MailSubscriberOptions {
  readonly operatorEmails: readonly string[];
}

/** Tells the operators that a team has written to them, without the words. */
export const messageMail = ({ send, site, operatorEmails }: OperatorMailOptions): EventSubscriber =>
  subscriber('message mail', ['message.sent'], async (scope, { name: reason, data: { kind } }) => {
    const account = await accounts.byScope(scope);
    if (!account) return;
    const props = { kind, from: account.displayName, link: pageLink(site, '/master/messages') };
    // No matching account: its admins are not told whom operators are.
    for (const to of operatorEmails) await send({ db: scope.db }, { to, mail: 'message-received', props, reason });
  });
