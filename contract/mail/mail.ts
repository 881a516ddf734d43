import { type RandomBytes, randomAlphanumeric } from '../core/ids.ts';
import type { Tally } from '../feedback/feedback.ts';
import type { Rating } from '../feedback/rating.ts';
import type { Funnel } from '../insight/insight.ts';
import type { StandoutWord } from '../insight/words.ts';
import type { Urgency } from '../notification/delivery.ts';
import type { ReportKind } from '../report/report.ts';

/* The contract between the server and the mail templates, which are built as a program of their own. */

const DELIVERY_SUFFIX = 10;

export const deliveryId = (random: RandomBytes) => `DELIVERY_${randomAlphanumeric(DELIVERY_SUFFIX, random)}`;

/** The mails there are, and the properties of each: anything that JSON can hold. Links are whole addresses. */
export interface Mails {
  /** Name and company are what was typed at the sign-up. */
  'sign-up-code': { readonly name: string; readonly company: string; readonly code: string; readonly link: string };
  /** Without a code where there were many: the link is safe from guesses. */
  'reset-code': { readonly code?: string | undefined; readonly link: string };
  'address-code': { readonly code: string };
  /** Where it was changed at Amazon Cognito, nothing is known of how. */
  'address-changed': Partial<SecurityMail> & { readonly link: string };
  'password-changed': SecurityMail;
  'second-factor-changed': SecurityMail & { readonly isOn: boolean };
  /** `left`: how many backup codes were not used yet. */
  'backup-code-used': SecurityMail & { readonly left: number; readonly link: string };
  /** `by`: the name of who did it; undefined where the product did, after an operator had asked for it. */
  'second-factor-reset': { readonly by?: string | undefined; readonly link: string };
  /** `when`: the moment of the reset in words. `link` refuses it. */
  'second-factor-reset-asked': { readonly by: string; readonly when: string; readonly link: string };
  'address-taken': { readonly link: string };
  invitation: { readonly name: string; readonly invitedBy: string; readonly company: string; readonly link: string };
  /** To somebody who has an account already, and can be of only one team. */
  'invitation-elsewhere': { readonly name: string; readonly invitedBy: string; readonly company: string; readonly link: string };
  /** To the admin of an account that an operator opened. */
  'account-invitation': { readonly name: string; readonly company: string; readonly link: string };
  'operator-invitation': { readonly link: string };
  welcome: { readonly name: string; readonly company: string; readonly link: string };
  /** To the admins. `until` is a moment in words. */
  'account-deleted': { readonly company: string; readonly until: string; readonly link: string };
  /** To the admins. `until` is the moment, in words, up to which everything works. */
  'plan-news': {
    readonly about: 'trial-ending' | 'trial-ended' | 'payment-failed' | 'ended';
    readonly company: string;
    readonly until?: string | undefined;
    readonly isTestMode: boolean;
    readonly link: string;
  };
  /** `link` opens the form, `trial` to try it. */
  'form-link': { readonly place: string; readonly link: string; readonly trial: string };
  'form-ready': { readonly place: string; readonly link: string };
  /** `by` is the author, `place` the property. Without the words: an edit and a deletion reach no mail. */
  mentioned: { readonly by: string; readonly place: string; readonly link: string };
  /** `by` assigned `count` pieces of feedback at once; `place` is the property of the newest. Without the words, as above. */
  assigned: { readonly by: string; readonly place: string; readonly count: number; readonly link: string };
  /** To operators. `from` is the business. Without the words, as above. */
  'message-received': { readonly kind: string; readonly from: string; readonly link: string };
  /** To whoever asked whether mails reach them. */
  'delivery-test': { readonly name: string; readonly link: string };
  /** To the admins. `host` is the receiver’s; `isGone`: it said that it will not come back, and the webhook is off. */
  'webhook-failing': { readonly host: string; readonly isGone: boolean; readonly link: string };
  'urgent-feedback': UrgentFeedback;
  report: ReportMail;
  'urgent-digest': UrgentDigest;
}
export type MailName = keyof Mails;

/** How urgent each mail is. */
export const MAIL_URGENCY: { readonly [Name in MailName]: Urgency } = {
  // Somebody sits at the screen and waits for it.
  'sign-up-code': 'awaited',
  'reset-code': 'awaited',
  'address-code': 'awaited',
  'address-taken': 'awaited',
  'form-link': 'awaited',
  'delivery-test': 'awaited',
  invitation: 'awaited',
  'invitation-elsewhere': 'awaited',
  'account-invitation': 'awaited',
  'operator-invitation': 'awaited',
  // Somebody should act soon.
  'urgent-feedback': 'alert',
  'address-changed': 'alert',
  'password-changed': 'alert',
  'second-factor-changed': 'alert',
  'backup-code-used': 'alert',
  'second-factor-reset': 'alert',
  'second-factor-reset-asked': 'alert',
  welcome: 'ordinary',
  'form-ready': 'ordinary',
  mentioned: 'ordinary',
  assigned: 'ordinary',
  'message-received': 'ordinary',
  'webhook-failing': 'ordinary',
  'plan-news': 'ordinary',
  'account-deleted': 'ordinary',
  // For many people at the same moment.
  report: 'bulk',
  'urgent-digest': 'bulk',
};

/** What is known of a change of somebody's sign-in: when, in words; on what kind of device, never its address; and the link that locks the account. */
export interface SecurityMail {
  readonly when: string;
  readonly device: string;
  readonly lock: string;
}

/** The properties of the mail about urgent feedback. */
export interface UrgentFeedback {
  /** That it came, what the visitor added to it, or that nobody has opened it yet. */
  readonly about: 'new' | 'added' | 'unopened';
  readonly place: string;
  /** Where in the place. */
  readonly placement?: string | undefined;
  readonly rating: Rating;
  readonly text?: string | undefined;
  /** The visitor’s contact details, if they asked to be contacted. */
  readonly contact?:
    | { readonly name?: string | undefined; readonly phone?: string | undefined; readonly email?: string | undefined }
    | undefined;
  /** When the feedback was sent, in words. */
  readonly when: string;
  readonly link: string;
  /** Leads to the page on which this person takes it on, without signing in. */
  readonly take: string;
  /** Where its recipient leaves the list that it came from, if it came from one. */
  readonly leave?: string | undefined;
}

/** The properties of the mail that tells much urgent feedback at once. */
interface UrgentDigest {
  /** Why it comes together: quiet hours are over, or so many mails went out before it. */
  readonly why: 'quiet' | 'hour';
  readonly places: readonly { readonly place: string; readonly count: number }[];
  readonly items: readonly (Pick<UrgentFeedback, 'place' | 'rating' | 'text' | 'contact' | 'when'> & { readonly link: string })[];
  /** How many are not among the items. */
  readonly more: number;
  /** To all of them. */
  readonly link: string;
}

/** The properties of a report on a property (docs/rules.md#reports). */
export interface ReportMail {
  readonly kind: ReportKind;
  readonly place: string;
  /** The period, in words. */
  readonly period: string;
  readonly ratings: Tally;
  /** Of the period before. */
  readonly before: Tally;
  readonly funnel: Funnel;
  /** The words that stand out, each with the address of the feedback that has it. */
  readonly words: { readonly bad: readonly LinkedWord[]; readonly good: readonly LinkedWord[] };
  /** Whoever waits for an answer, the longest first; `link` shows all of them. */
  readonly waiting: { readonly count: number; readonly longest: readonly WaitingVisitor[]; readonly link: string };
  /** The account's properties side by side, where there are others. */
  readonly places?: ComparedPlaces | undefined;
  /** The form's address, to be shared; left out where the form is closed. */
  readonly form?: string | undefined;
  /** The overview of the period. */
  readonly link: string;
  /** Leaves the list; left out where somebody asked for this one. */
  readonly leave?: string | undefined;
}

/** How many pieces of bad and of good feedback have a word, and where they are read. */
export interface LinkedWord extends StandoutWord {
  readonly link: string;
}

/** A visitor who waits: their rating, since when (in words), and where that is read. */
interface WaitingVisitor {
  readonly rating: Rating;
  readonly since: string;
  readonly link: string;
}

/** `said` compares all of them in a sentence; `rows` are the best and this one. A place with few ratings has no rank. */
export interface ComparedPlaces {
  readonly said: string;
  readonly rows: readonly {
    readonly place: string;
    readonly ratings: Tally;
    readonly rank?: number | undefined;
    readonly isOwn: boolean;
  }[];
}

/** A mail, ready to go. */
export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** Where its recipient leaves the list that it came from, if it came from one: mail programs offer that as a button. */
  readonly leave?: string | undefined;
}

/** The mail templates, as they are built for the server. */
export interface MailBundle {
  readonly names: readonly MailName[];
  /** `support` is where people find help, an email address or a web address, which every mail says below. */
  renderMail<Name extends MailName>(
    name: Name,
    props: Mails[Name],
    about?: { readonly support?: string | undefined },
  ): Promise<RenderedMail>;
  /** The subject of a mail as it is stored and listed: the same for every recipient, without a name or a code. */
  subjectOf(name: MailName): string;
}

/* ── Links in mails: to the configured address and no other. A code or a key stands behind the '#', which no server is sent and none can log. ── */

export const resetLink = (site: string, { key, email }: { readonly key: string; readonly email: string }): string =>
  `${site}/#${fragment({ reset: key, email })}`;

/** `user` is the id of the sign-up in the pool: its key confirms no other. */
export const verifyLink = (
  site: string,
  { key, user, email }: { readonly key: string; readonly user: string; readonly email: string },
): string => `${site}/signup#${fragment({ verify: key, user, email })}`;

export const invitationLink = (site: string, key: string): string => `${site}/#${fragment({ invite: key })}`;

export const lockLink = (site: string, key: string): string => `${site}/#${fragment({ 'not-me': key })}`;

export const keepFactorLink = (site: string, key: string): string => `${site}/#${fragment({ 'keep-two-step': key })}`;

/** A moment as mails word it where nobody knows the reader's clock. */
export const momentInWords = (at: number): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`;

export const pageLink = (site: string, path = '/'): string => `${site}${encodeURI(path)}`;

const fragment = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
