import { type RandomBytes, randomAlphanumeric } from './ids.ts';

/* The contract between the server and the mail templates, which are built as a program of their own. */

const DELIVERY_SUFFIX = 10;

export const deliveryId = (random: RandomBytes) => `DELIVERY_${randomAlphanumeric(DELIVERY_SUFFIX, random)}`;

/** The state of a mail: waiting or being tried, accepted by the mail server, or given up. */
export type DeliveryStatus = 'queued' | 'sent' | 'failed';

/** The mails there are, and the properties of each: anything that JSON can hold. Links are whole addresses. */
export interface Mails {
  'sign-up-code': { readonly name: string; readonly code: string };
  /** Without a code where there were many: the link is safe from guesses. */
  'reset-code': { readonly code?: string | undefined; readonly link: string };
  'address-code': { readonly code: string };
  'address-changed': { readonly link: string };
  'password-changed': { readonly link: string };
  'address-taken': { readonly link: string };
  invitation: { readonly name: string; readonly invitedBy: string; readonly company: string; readonly link: string };
  /** To somebody who has an account already, and can be of one team only. */
  'invitation-elsewhere': { readonly name: string; readonly invitedBy: string; readonly company: string; readonly link: string };
  welcome: { readonly name: string; readonly company: string; readonly link: string };
  'form-ready': { readonly place: string; readonly link: string };
  'urgent-feedback': UrgentFeedback;
}
export type MailName = keyof Mails;

/** The properties of the mail about urgent feedback. */
export interface UrgentFeedback {
  readonly place: string;
  /** 1 to 5. */
  readonly rating: number;
  readonly text?: string | undefined;
  /** The visitor’s contact details, if they asked to be contacted. */
  readonly contact?:
    | { readonly name?: string | undefined; readonly phone?: string | undefined; readonly email?: string | undefined }
    | undefined;
  /** When the feedback was sent, in words. */
  readonly when: string;
  readonly link: string;
}

/** A mail, ready to go. */
export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** The mail templates, as they are built for the server. */
export interface MailBundle {
  readonly names: readonly MailName[];
  renderMail<Name extends MailName>(name: Name, props: Mails[Name]): Promise<RenderedMail>;
  /** The subject of a mail: the same for every recipient, without a name or a code. */
  subjectOf(name: MailName): string;
}

/* ── Links in mails: to the configured address and no other. A code or a key stands behind the '#', which no server is sent and none can log. ── */

export const resetLink = (site: string, { key, email }: { readonly key: string; readonly email: string }): string =>
  `${site}/#${fragment({ reset: key, email })}`;

export const invitationLink = (site: string, key: string): string => `${site}/#${fragment({ invite: key })}`;

export const pageLink = (site: string, path = '/'): string => `${site}${encodeURI(path)}`;

const fragment = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
