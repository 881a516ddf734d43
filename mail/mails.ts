import type { FunctionComponent } from 'react';
import * as v from 'valibot';
import { displayName } from '#contract/core/schema.ts';
import { RATING_WORDS, type Rating } from '#contract/feedback/rating.ts';
import { type Translate, translatable, type Untranslated } from '#contract/language/translate.ts';
import type { Mails } from '#contract/mail/mail.ts';
import { periodInWords } from './format.ts';
import { AccountDeleted } from './templates/account/AccountDeleted.tsx';
import { AccountInvitation } from './templates/account/AccountInvitation.tsx';
import { DeliveryTest } from './templates/account/DeliveryTest.tsx';
import { Invitation } from './templates/account/Invitation.tsx';
import { InvitationElsewhere } from './templates/account/InvitationElsewhere.tsx';
import { MessageReceived } from './templates/account/MessageReceived.tsx';
import { OperatorInvitation } from './templates/account/OperatorInvitation.tsx';
import { PlanNews } from './templates/account/PlanNews.tsx';
import { Welcome } from './templates/account/Welcome.tsx';
import { Assigned } from './templates/feedback/Assigned.tsx';
import { ConversationReported } from './templates/feedback/ConversationReported.tsx';
import { FormLink } from './templates/feedback/FormLink.tsx';
import { FormReady } from './templates/feedback/FormReady.tsx';
import { KioskSilent } from './templates/feedback/KioskSilent.tsx';
import { Mentioned } from './templates/feedback/Mentioned.tsx';
import { Report } from './templates/feedback/Report.tsx';
import { UrgentDigest } from './templates/feedback/UrgentDigest.tsx';
import { UrgentFeedback } from './templates/feedback/UrgentFeedback.tsx';
import { WebhookFailing } from './templates/feedback/WebhookFailing.tsx';
import { AddressChanged } from './templates/sign-in/AddressChanged.tsx';
import { AddressCode } from './templates/sign-in/AddressCode.tsx';
import { AddressTaken } from './templates/sign-in/AddressTaken.tsx';
import { ApiKeyCreated } from './templates/sign-in/ApiKeyCreated.tsx';
import { BackupCodeUsed } from './templates/sign-in/BackupCodeUsed.tsx';
import { PasswordChanged } from './templates/sign-in/PasswordChanged.tsx';
import { ResetCode } from './templates/sign-in/ResetCode.tsx';
import { SecondFactorChanged } from './templates/sign-in/SecondFactorChanged.tsx';
import { SecondFactorReset } from './templates/sign-in/SecondFactorReset.tsx';
import { SecondFactorResetAsked } from './templates/sign-in/SecondFactorResetAsked.tsx';
import { SignUpCode } from './templates/sign-in/SignUpCode.tsx';
import { FeedbackRequest } from './templates/visitors/FeedbackRequest.tsx';
import { VisitorAnswer } from './templates/visitors/VisitorAnswer.tsx';

interface MailTemplate<Props> {
  /** Fixed text, as stored and listed, without a code or a name that someone chose (docs/rules.md#mails). */
  readonly subject: Untranslated;
  /** The subject that is sent, if a code or a name helps the recipient. */
  readonly subjectFor?: (t: Translate, props: Props) => string;
  /** The URL whose QR code the email shows as `cid:code`. */
  readonly codeFor?: (props: Props) => string | undefined;
  readonly Body: FunctionComponent<Props>;
}

const codeFirst = (t: Translate, { code }: { readonly code: string }): string => t('{code} is your Afterword code', { code });

const resetSubject = (t: Translate, { code }: Mails['reset-code']): string =>
  code === undefined ? t('Reset your Afterword password') : t('{code} resets your Afterword password', { code });

/** Returns a subject that contains only names that pass today's rule, which allows no link or address. */
function invitedBy(t: Translate, { invitedBy: inviter, company }: Mails['invitation']): string {
  if (!v.is(displayName, company)) return t('You are invited to a team on Afterword');
  return v.is(displayName, inviter)
    ? t('{name} invited you to {company}', { name: inviter, company })
    : t('You are invited to {company}', { company });
}

const mentionedBy = (t: Translate, { by }: Mails['mentioned']): string =>
  v.is(displayName, by) ? t('{name} mentioned you on Afterword', { name: by }) : t('A teammate mentioned you on Afterword');

const assignedBy = (t: Translate, { by }: Mails['assigned']): string =>
  v.is(displayName, by) ? t('{name} assigned feedback to you on Afterword', { name: by }) : t('Feedback was assigned to you on Afterword');

const REPORTS = translatable({
  daily: { at: '{place}: your daily report, {period}', plain: 'Your daily report, {period}' },
  weekly: { at: '{place}: your weekly report, {period}', plain: 'Your weekly report, {period}' },
  monthly: { at: '{place}: your monthly report, {period}', plain: 'Your monthly report, {period}' },
});

/** Returns a subject that contains the property's name only if it passes the stricter rule for names. */
function reportOn(t: Translate, { kind, place, period: days }: Mails['report']): string {
  const period = periodInWords(t, { kind, period: days });
  return v.is(displayName, place) ? t(REPORTS[kind].at, { place, period }) : t(REPORTS[kind].plain, { period });
}

/**
 * Returns a subject without a visitor's words, except a name. An addition has the same subject, so that mail apps show both emails
 * as one conversation.
 */
function urgentSubject(t: Translate, { about, contact, place: at, rating }: Mails['urgent-feedback']): string {
  const place = v.is(displayName, at) ? at : undefined;
  const withPlace = (text: string): string => (place === undefined ? text : `${text} – ${place}`);
  if (about === 'message') return withPlace(t('A visitor wrote to you'));
  const headline = contact
    ? withPlace(
        v.is(displayName, contact.name) ? t('{name} wants to be contacted', { name: contact.name }) : t('A visitor wants to be contacted'),
      )
    : ratedSubject(t, rating, place);
  if (about === 'unopened') return t('Not opened yet: {what}', { what: headline });
  return about === 'added' ? `Re: ${headline}` : headline;
}

function ratedSubject(t: Translate, of: Rating, place: string | undefined): string {
  const rating = t(RATING_WORDS[of]);
  return place === undefined ? t('Rated {rating}', { rating }) : t('Rated {rating} at {place}', { rating, place });
}

const PLAN_NEWS = translatable({
  'trial-ending': 'Your free trial of Afterword ends soon',
  'trial-ended': 'Your free trial of Afterword has ended',
  'payment-failed': 'A payment for Afterword failed',
  ended: 'Your Afterword subscription has ended',
});

const planNews = (t: Translate, { about }: Mails['plan-news']): string => t(PLAN_NEWS[about]);

/** Returns a subject with the property's name only if it passes the stricter rule for names. */
const answeredBy = (_t: Translate, { place, words }: Mails['visitor-answer']): string =>
  v.is(displayName, place) ? words.title : words.open;

/** Returns a subject with the property's name only if it passes the stricter rule for names. */
const askedBy = (_t: Translate, { place, words }: Mails['feedback-request']): string =>
  v.is(displayName, place) ? words.title : words.lead;

function digestSubject(t: Translate, { places }: Mails['urgent-digest']): string {
  const count = places.reduce((sum, place) => sum + place.count, 0);
  const [only, ...others] = places;
  return only && others.length === 0 && v.is(displayName, only.place)
    ? t.count(count, 'Urgent feedback at {place}', '{count} urgent feedback items at {place}', { place: only.place })
    : t.count(count, 'Urgent feedback', '{count} urgent feedback items');
}

export const MAILS: { readonly [Name in keyof Mails]: MailTemplate<Mails[Name]> } = {
  'sign-up-code': { subject: translatable('Confirm your email for Afterword'), subjectFor: codeFirst, Body: SignUpCode },
  'reset-code': { subject: translatable('Reset your Afterword password'), subjectFor: resetSubject, Body: ResetCode },
  'address-code': { subject: translatable('Confirm your new address for Afterword'), subjectFor: codeFirst, Body: AddressCode },
  'address-changed': { subject: translatable('Your Afterword address was changed'), Body: AddressChanged },
  'password-changed': { subject: translatable('Your Afterword password was changed'), Body: PasswordChanged },
  'second-factor-changed': { subject: translatable('Your two-step sign-in on Afterword was changed'), Body: SecondFactorChanged },
  'backup-code-used': { subject: translatable('A backup code was used to sign in to Afterword'), Body: BackupCodeUsed },
  'second-factor-reset': { subject: translatable('Your two-step sign-in on Afterword was turned off'), Body: SecondFactorReset },
  'second-factor-reset-asked': {
    subject: translatable('Your two-step sign-in on Afterword is about to be turned off'),
    Body: SecondFactorResetAsked,
  },
  'address-taken': { subject: translatable('You already have an Afterword account'), Body: AddressTaken },
  invitation: { subject: translatable('You are invited to a team on Afterword'), subjectFor: invitedBy, Body: Invitation },
  'invitation-elsewhere': {
    subject: translatable('You are invited to another team on Afterword'),
    subjectFor: invitedBy,
    Body: InvitationElsewhere,
  },
  'account-invitation': { subject: translatable('Open your account on Afterword'), Body: AccountInvitation },
  'operator-invitation': { subject: translatable('You run an installation of Afterword'), Body: OperatorInvitation },
  welcome: { subject: translatable('Welcome to Afterword'), codeFor: ({ form }) => form, Body: Welcome },
  'account-deleted': { subject: translatable('Your Afterword account was deleted'), Body: AccountDeleted },
  'plan-news': { subject: translatable('About your Afterword plan'), subjectFor: planNews, Body: PlanNews },
  'form-link': { subject: translatable('The link to your form'), Body: FormLink },
  'form-ready': { subject: translatable('Your new feedback form is ready'), Body: FormReady },
  mentioned: { subject: translatable('A teammate mentioned you on Afterword'), subjectFor: mentionedBy, Body: Mentioned },
  assigned: { subject: translatable('Feedback was assigned to you on Afterword'), subjectFor: assignedBy, Body: Assigned },
  'message-received': { subject: translatable('A team sent you a message on Afterword'), Body: MessageReceived },
  'delivery-test': { subject: translatable('Test email from Afterword'), Body: DeliveryTest },
  report: { subject: translatable('Your report on Afterword'), subjectFor: reportOn, Body: Report },
  'api-key-created': { subject: translatable('An API key was created'), Body: ApiKeyCreated },
  'webhook-failing': { subject: translatable('A webhook is failing'), Body: WebhookFailing },
  'conversation-reported': { subject: translatable('A visitor reported a conversation'), Body: ConversationReported },
  'kiosk-silent': { subject: translatable('A kiosk is silent'), Body: KioskSilent },
  'urgent-feedback': { subject: translatable('Urgent feedback from a visitor'), subjectFor: urgentSubject, Body: UrgentFeedback },
  'visitor-answer': { subject: translatable('An answer to a visitor'), subjectFor: answeredBy, Body: VisitorAnswer },
  'feedback-request': { subject: translatable('How was your visit?'), subjectFor: askedBy, Body: FeedbackRequest },
  'urgent-digest': { subject: translatable('Urgent feedback that no one has opened yet'), subjectFor: digestSubject, Body: UrgentDigest },
};
