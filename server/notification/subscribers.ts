import { pageLink } from '#contract/mail.ts';
import * as accounts from '../account/store.ts';
import { type EventSubscriber, subscriber } from '../event/relay.ts';
import * as forms from '../form/store.ts';
import type { SendMail } from '../kernel/send-mail.ts';
import * as users from '../user/store.ts';

interface MailSubscriberOptions {
  readonly send: SendMail;
  /** The configured address. */
  readonly site: string;
}

/** Sends the welcome mail to the person who requested it. */
export const welcomeMail = ({ send, site }: MailSubscriberOptions): EventSubscriber =>
  subscriber('welcome mail', ['account.welcome-requested'], async (scope, { name: reason, actor }) => {
    const [account, person] = [await accounts.byScope(scope), await users.byId(scope, actor)];
    if (!account || !person) return;
    const { displayName: name, emailAddress: to } = person.data;
    await send(scope, { to, mail: 'welcome', props: { name, company: account.displayName, link: pageLink(site) }, reason });
  });

/** Sends the mail that says a form is ready to the person who requested it. */
export const formReadyMail = ({ send, site }: MailSubscriberOptions): EventSubscriber =>
  subscriber('form-ready mail', ['form.announcement-requested'], async (scope, { name: reason, subject, actor, data }) => {
    const [form, person] = [await forms.byId(scope, subject), await users.byId(scope, actor)];
    if (!form || !person) return;
    const props = { place: form.data.displayName, link: pageLink(site, data.path) };
    await send(scope, { to: person.data.emailAddress, mail: 'form-ready', props, reason });
  });
