import type { FastifyBaseLogger } from 'fastify';
import { ACCOUNT_RESTORE_WINDOW } from '#contract/account/account.ts';
import { HOUR } from '#contract/core/time.ts';
import { formPath } from '#contract/form/form-page.ts';
import { type Mails, pageLink } from '#contract/mail/mail.ts';
import * as accounts from '../../account/store.ts';
import * as apiKeys from '../../api-key/store.ts';
import { type EventSubscriber, subscriber } from '../../event/relay.ts';
import * as forms from '../../form/store.ts';
import type { SendMail } from '../../platform/mailer/send-mail.ts';
import type { AccountScope } from '../../platform/tenancy/access.ts';
import { isWithin } from '../../platform/tenancy/rate-limit.ts';
import * as properties from '../../property/store.ts';
import * as users from '../../user/store.ts';

/* Events that people are notified of only by mail. */

interface MailOptions {
  readonly send: SendMail;
  /** The configured address. */
  readonly site: string;
  /** Logs mails that operators look for while they test a sign-up. */
  readonly log: Pick<FastifyBaseLogger, 'info'>;
}

/** Per person. A client other than the dashboard requests the mail as well, right after it was sent. */
const WELCOMES = { name: 'welcome mails', most: 1, within: HOUR };

/** Sends the welcome mail to the person who set the account up, and to an admin who requests it. */
export const welcomeMail = ({ send, site, log }: MailOptions): EventSubscriber =>
  subscriber('welcome mail', ['account.set-up', 'account.welcome-requested'], async (scope, event) => {
    const { name: reason, actor } = event;
    const [account, person] = [await accounts.byScope(scope), await users.byId(scope, actor)];
    if (!account || !person) return;
    const { displayName: name, emailAddress: to } = person.data;
    if (!(await isWithin(scope, WELCOMES, actor))) return;
    const props = { name, company: account.displayName, link: pageLink(site), form: await firstForm(scope, site) };
    const { subject } = await send(scope, { to, mail: 'welcome', props, reason });
    if (event.name === 'account.set-up' || event.data.debug) log.info({ accountId: scope.accountId, subject }, 'a mail was queued');
  });

/** Returns the URL of the first property's form, while it's open. */
async function firstForm(scope: AccountScope, site: string): Promise<string | undefined> {
  const [property] = await properties.all(scope);
  if (!property) return undefined;
  const { formId } = property.data;
  return (await forms.read(scope, formId))?.standing === 'open' ? site + formPath(formId) : undefined;
}

/** Mails the admins that their account was deleted, and until when they can restore it. */
export const accountDeletedMail = ({ send, site }: MailOptions): EventSubscriber =>
  subscriber('account-deleted mail', ['account.deleted'], async (scope, { name: reason }) => {
    const account = await accounts.deletionOf(scope);
    if (!account?.deleted) return;
    const props = {
      company: account.displayName,
      until: { at: account.deleted.getTime() + ACCOUNT_RESTORE_WINDOW },
      link: pageLink(site),
    };
    for (const { data } of await users.admins(scope)) await send(scope, { to: data.emailAddress, mail: 'account-deleted', props, reason });
  });

/** Mails the admins that one of them, or someone in their place, created an API key. */
export const apiKeyMail = ({ send, site }: MailOptions): EventSubscriber =>
  subscriber('API key mail', ['api-key.created'], async (scope, { name: reason, subject, actor }) => {
    const [key, person] = [(await apiKeys.all(scope)).find(({ id }) => id === subject), await users.byId(scope, actor)];
    if (!key || !person) return;
    const props = { by: person.data.displayName, name: key.data.displayName, link: pageLink(site, '/account/api-keys') };
    for (const { data } of await users.admins(scope)) await send(scope, { to: data.emailAddress, mail: 'api-key-created', props, reason });
  });

const PLAN_EVENTS = ['subscription.trial-ending', 'subscription.trial-ended', 'subscription.payment-failed', 'subscription.ended'] as const;
/** The panel where admins choose a plan and update a payment. */
const PLAN_PANEL = '/?panel=plan';

/** Mails the admins that a trial ends or has ended, a payment failed, or a subscription ended. `isTestMode`: payments move no money. */
export const planMail = ({ send, site, isTestMode }: MailOptions & { readonly isTestMode: boolean }): EventSubscriber =>
  subscriber('plan mail', PLAN_EVENTS, async (scope, event) => {
    const account = await accounts.byScope(scope);
    if (!account) return;
    const until = 'endsAt' in event.data ? event.data.endsAt : 'graceEndsAt' in event.data ? event.data.graceEndsAt : undefined;
    const props = {
      // The mail is named after the event.
      about: event.name.slice('subscription.'.length) as Mails['plan-news']['about'],
      company: account.displayName,
      ...(until !== undefined && { until: { at: until } }),
      isTestMode,
      link: pageLink(site, PLAN_PANEL),
    };
    for (const { data } of await users.admins(scope))
      await send(scope, { to: data.emailAddress, mail: 'plan-news', props, reason: event.name });
  });

/** Sends a form's link to the person who requested it. */
export const formLinkMail = ({ send, site }: MailOptions): EventSubscriber =>
  subscriber('form-link mail', ['form.link-requested'], async (scope, { name: reason, subject, actor }) => {
    const [form, person] = [await forms.byId(scope, subject), await users.byId(scope, actor)];
    if (!form || !person) return;
    const [link, trial] = [site + formPath(form.id), site + formPath(form.id, { test: true })];
    await send(scope, { to: person.data.emailAddress, mail: 'form-link', props: { place: form.data.displayName, link, trial }, reason });
  });

/** Mails the person who created a form that it is ready. */
export const formReadyMail = ({ send, site, log }: MailOptions): EventSubscriber =>
  subscriber('form-ready mail', ['form.announcement-requested'], async (scope, { name: reason, subject: formId, actor, data }) => {
    const [form, person] = [await forms.byId(scope, formId), await users.byId(scope, actor)];
    if (!form || !person) return;
    const props = { place: form.data.displayName, link: pageLink(site, data.path) };
    const { subject } = await send(scope, { to: person.data.emailAddress, mail: 'form-ready', props, reason });
    if (data.debug) log.info({ accountId: scope.accountId, subject }, 'a mail was queued');
  });

/** Mails the operators that a team sent them a message, without its words. */
export const messageMail = ({
  send,
  site,
  operatorEmails,
}: MailOptions & { readonly operatorEmails: readonly string[] }): EventSubscriber =>
  subscriber('message mail', ['message.sent'], async (scope, { name: reason, data: { kind } }) => {
    const account = await accounts.byScope(scope);
    if (!account) return;
    const props = { kind, from: account.displayName, link: pageLink(site, '/master/messages') };
    // Belongs to no account, because its admins may not see who the operators are.
    for (const to of operatorEmails) await send({ db: scope.db }, { to, mail: 'message-received', props, reason });
  });
