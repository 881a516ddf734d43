import type { BrandLook } from '../brand/look.ts';
import { type RandomBytes, randomAlphanumeric } from '../core/ids.ts';
import type { RatedPlace } from '../core/sentences.ts';
import type { Rating } from '../feedback/rating.ts';
import type { Tally } from '../feedback/tally.ts';
import type { Funnel } from '../insight/insight.ts';
import type { StandoutWord } from '../insight/words.ts';
import type { LanguageTag } from '../language/languages.ts';
import type { TeamLanguage } from '../language/team.ts';
import type { Urgency } from '../notification/delivery.ts';
import type { KnownDevice } from '../notification/device-name.ts';
import type { ReportKind } from '../report/report.ts';

/* The contract between the server and the mail templates, which are built separately. */

const DELIVERY_SUFFIX = 10;

export const deliveryId = (random: RandomBytes) => `DELIVERY_${randomAlphanumeric(DELIVERY_SUFFIX, random)}`;

/** A moment (UTC ms), shown in an IANA time zone, or in UTC if there is none. */
export interface Moment {
  readonly at: number;
  readonly zone?: string | undefined;
}

/**
 * The emails and their properties, which JSON can represent. Links are absolute URLs. Properties are values and no words, because an
 * email is rendered in its recipient's language when it is sent.
 */
export interface Mails {
  /** `name` and `company` are as typed at sign-up. */
  'sign-up-code': { readonly name: string; readonly company: string; readonly code: string; readonly link: string };
  /** Without a code after many requests, because only the link can't be guessed. */
  'reset-code': { readonly code?: string | undefined; readonly link: string };
  'address-code': { readonly code: string };
  /** A change at Amazon Cognito has no details. */
  'address-changed': Partial<SecurityMail> & { readonly link: string };
  'password-changed': SecurityMail;
  'second-factor-changed': SecurityMail & { readonly isOn: boolean };
  /** `left` is the number of unused backup codes. */
  'backup-code-used': SecurityMail & { readonly left: number; readonly link: string };
  /** `by` is the name of the person who did it; undefined if the product did, on an operator's request. */
  'second-factor-reset': { readonly by?: string | undefined; readonly link: string };
  /** `when` is the time of the reset. `link` refuses it. */
  'second-factor-reset-asked': { readonly by: string; readonly when: Moment; readonly link: string };
  'address-taken': { readonly link: string };
  invitation: { readonly name: string; readonly invitedBy: string; readonly company: string; readonly link: string };
  /** To someone who already has an account and can be on only one team. */
  'invitation-elsewhere': { readonly name: string; readonly invitedBy: string; readonly company: string; readonly link: string };
  /** To the admin of an account that an operator created. */
  'account-invitation': { readonly name: string; readonly company: string; readonly link: string };
  'operator-invitation': { readonly link: string };
  /** `form` is the URL of the account's first form, shown with its QR code. */
  welcome: { readonly name: string; readonly company: string; readonly link: string; readonly form?: string | undefined };
  /** To the admins, who can restore it until then. */
  'account-deleted': { readonly company: string; readonly until: Moment; readonly link: string };
  /** To the admins. `until` is when everything stops working. */
  'plan-news': {
    readonly about: 'trial-ending' | 'trial-ended' | 'payment-failed' | 'ended';
    readonly company: string;
    readonly until?: Moment | undefined;
    readonly isTestMode: boolean;
    readonly link: string;
  };
  /** `link` opens the form, `trial` opens it as a test. */
  'form-link': { readonly place: string; readonly link: string; readonly trial: string };
  'form-ready': { readonly place: string; readonly link: string };
  /** `by` is the author, `place` the property. Without the text, because an edit or a deletion can't reach an email. */
  mentioned: { readonly by: string; readonly place: string; readonly link: string };
  /** `by` assigned `count` pieces of feedback at once; `place` is the property of the newest. Without the text, as above. */
  assigned: { readonly by: string; readonly place: string; readonly count: number; readonly link: string };
  /** To operators. `from` is the business. Without the text, as above. */
  'message-received': { readonly kind: string; readonly from: string; readonly link: string };
  /** To the person who requested a test. */
  'delivery-test': { readonly name: string; readonly link: string };
  /** To the admins. `host` is the receiver’s; `isGone`: it returned 410 Gone, which turned the webhook off. */
  'webhook-failing': { readonly host: string; readonly isGone: boolean; readonly link: string };
  /** To the admins. `name` is the key's, `by` the name of the admin who created it. */
  'api-key-created': { readonly by: string; readonly name: string; readonly link: string };
  /** To the admins. A visitor reported the conversation about feedback at `place`. */
  'conversation-reported': { readonly place: string; readonly link: string };
  /** `kiosk` and `place` are names. */
  'kiosk-silent': { readonly kiosk: string; readonly place: string; readonly link: string };
  'urgent-feedback': UrgentFeedback;
  'visitor-answer': VisitorAnswer;
  'feedback-request': FeedbackRequestMail;
  report: ReportMail;
  'urgent-digest': UrgentDigest;
}
export type MailName = keyof Mails;

/** Whether an email is to a visitor, so that it looks like the business. */
export const isToVisitor = (name: string): boolean => name === 'visitor-answer' || name === 'feedback-request';

/** How urgent each mail is. */
export const MAIL_URGENCY: { readonly [Name in MailName]: Urgency } = {
  // Someone waits for it at the screen.
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
  // Someone should act soon.
  'urgent-feedback': 'alert',
  'address-changed': 'alert',
  'password-changed': 'alert',
  'second-factor-changed': 'alert',
  'backup-code-used': 'alert',
  'second-factor-reset': 'alert',
  'second-factor-reset-asked': 'alert',
  'api-key-created': 'alert',
  welcome: 'ordinary',
  'form-ready': 'ordinary',
  mentioned: 'ordinary',
  assigned: 'ordinary',
  'visitor-answer': 'ordinary',
  'message-received': 'ordinary',
  'webhook-failing': 'ordinary',
  'conversation-reported': 'ordinary',
  'kiosk-silent': 'ordinary',
  'plan-news': 'ordinary',
  'account-deleted': 'ordinary',
  // Sent to many people at once.
  report: 'bulk',
  'feedback-request': 'bulk',
  'urgent-digest': 'bulk',
};

/** The details of a change to a person's sign-in: the time, the kind of device but never its address, and the link that locks the account. */
export interface SecurityMail {
  readonly when: Moment;
  readonly device: KnownDevice;
  readonly lock: string;
}

/** The properties of the email about urgent feedback. */
export interface UrgentFeedback {
  /** New feedback, an addition to it, feedback that no one has opened, or a visitor’s message, which is `text`. */
  readonly about: 'new' | 'added' | 'unopened' | 'message';
  readonly place: string;
  /** The placement within the property. */
  readonly placement?: string | undefined;
  readonly rating: Rating;
  readonly text?: string | undefined;
  /** The visitor’s contact details, if they asked to be contacted. */
  readonly contact?:
    | { readonly name?: string | undefined; readonly phone?: string | undefined; readonly email?: string | undefined }
    | undefined;
  /** When the feedback was sent. */
  readonly when: Moment;
  readonly link: string;
  /** Opens the page on which this person takes the feedback without signing in. */
  readonly take: string;
  /** The unsubscribe link, if the email was sent to a list. */
  readonly leave?: string | undefined;
}

/** The properties of the email to a visitor whom the team answered. `words` are in the visitor’s language, `text` is the answer. */
interface VisitorAnswer {
  readonly language: LanguageTag;
  readonly words: { readonly title: string; readonly open: string; readonly why: string };
  readonly place: string;
  readonly text: string;
  readonly link: string;
}

/** The properties of the email that asks a customer for feedback. `words` are in the customer’s language. */
interface FeedbackRequestMail {
  readonly language: LanguageTag;
  readonly words: {
    readonly title: string;
    /** {name} */
    readonly greeting: string;
    readonly reminder?: string | undefined;
    readonly lead: string;
    readonly why: string;
    readonly stop: string;
  };
  readonly place: string;
  readonly name?: string | undefined;
  readonly faces: readonly { readonly rating: Rating; readonly word: string; readonly link: string }[];
  /** The business's postal address. */
  readonly address?: string | undefined;
  readonly leave: string;
}

/** The properties of the email about several urgent feedback items. */
interface UrgentDigest {
  /** Why they are combined: quiet hours ended, or the hour's limit of emails was reached. */
  readonly why: 'quiet' | 'hour';
  readonly places: readonly { readonly place: string; readonly count: number }[];
  readonly items: readonly (Pick<UrgentFeedback, 'place' | 'rating' | 'text' | 'contact' | 'when'> & { readonly link: string })[];
  /** How many aren't listed. */
  readonly more: number;
  /** Shows all of them. */
  readonly link: string;
}

/** The properties of a report on a property (docs/rules.md#reports). */
export interface ReportMail {
  readonly kind: ReportKind;
  readonly place: string;
  readonly period: ReportDays;
  readonly ratings: Tally;
  /** The ratings of the previous period. */
  readonly before: Tally;
  readonly funnel: Funnel;
  /** The feedback requests sent in the period, and how many of them were answered; left out if there were none. */
  readonly requests?: { readonly sent: number; readonly answered: number } | undefined;
  /** The topics that most answers are about; left out if the account has none, or no answer is about them. */
  readonly topics?: readonly ReportedTopic[] | undefined;
  /** The words that stand out, each with a link to the feedback that has it. */
  readonly words: { readonly bad: readonly LinkedWord[]; readonly good: readonly LinkedWord[] };
  /** The visitors who wait for an answer, the longest wait first; `link` shows all of them. */
  readonly waiting: { readonly count: number; readonly longest: readonly WaitingVisitor[]; readonly link: string };
  /** A comparison with the account's other properties, if there are any. */
  readonly places?: ComparedPlaces | undefined;
  /** The form's URL to share; left out if the form is closed. */
  readonly form?: string | undefined;
  /** The overview of the period. */
  readonly link: string;
  /** The unsubscribe link; left out if someone requested this report. */
  readonly leave?: string | undefined;
}

/** A word that stands out, with a link to the feedback that has it. */
export interface LinkedWord extends StandoutWord {
  readonly link: string;
}

/** A topic with the ratings of the answers about it, in the period and in the one before. */
interface ReportedTopic {
  readonly name: string;
  readonly ratings: Tally;
  readonly before: Tally;
}

/** The first and the last day of a report's period, as `yyyy-mm-dd`. */
export interface ReportDays {
  readonly firstDay: string;
  readonly lastDay: string;
}

/** A waiting visitor: their rating, since when they wait, and a link to their feedback. */
interface WaitingVisitor {
  readonly rating: Rating;
  readonly since: Moment;
  readonly link: string;
}

/** `ends` are the best and the worst of the properties with a rank; `rows` are the best and this one. A property with few ratings has no rank. */
export interface ComparedPlaces {
  readonly ends: readonly RatedPlace[];
  readonly rows: readonly {
    readonly place: string;
    readonly ratings: Tally;
    readonly rank?: number | undefined;
    readonly isOwn: boolean;
  }[];
}

/** An email, ready to send. */
export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** The unsubscribe link, if it is sent to a list; mail programs show it as a button. */
  readonly leave?: string | undefined;
  /** Pictures that are part of the email, which shows each as `cid:<name>`. */
  readonly pictures?: readonly MailPicture[] | undefined;
}

export interface MailPicture {
  readonly name: string;
  /** A PNG. */
  readonly content: Uint8Array;
}

/** What an email has besides its properties. */
export interface MailContext {
  /** An email address or a URL for help, which is at the end of every email to the team. */
  readonly support?: string | undefined;
  /** The team member's. */
  readonly language?: TeamLanguage | undefined;
  /** The business's, for an email to a visitor. */
  readonly look?: BrandLook | undefined;
}

/** The mail templates, as built for the server. */
export interface MailBundle {
  readonly names: readonly MailName[];
  renderMail<Name extends MailName>(name: Name, props: Mails[Name], context?: MailContext): Promise<RenderedMail>;
  /** Returns an email's subject as stored and listed: the same for every recipient, without a name or a code. */
  subjectOf(name: MailName): string;
}

/* ── Links in emails, only to the configured URL. Codes and keys are in the fragment, which browsers send to no server, so none can log them. ── */

export const resetLink = (site: string, { key, email }: { readonly key: string; readonly email: string }): string =>
  `${site}/#${fragment({ reset: key, email })}`;

/** `user` is the sign-up's id in the pool; its key confirms no other sign-up. */
export const verifyLink = (
  site: string,
  { key, user, email }: { readonly key: string; readonly user: string; readonly email: string },
): string => `${site}/signup#${fragment({ verify: key, user, email })}`;

export const invitationLink = (site: string, key: string): string => `${site}/#${fragment({ invite: key })}`;

export const lockLink = (site: string, key: string): string => `${site}/#${fragment({ 'not-me': key })}`;

export const keepFactorLink = (site: string, key: string): string => `${site}/#${fragment({ 'keep-two-step': key })}`;

export const pageLink = (site: string, path = '/'): string => `${site}${encodeURI(path)}`;

const fragment = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
