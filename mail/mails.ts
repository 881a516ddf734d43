import type { FunctionComponent } from 'react';
import * as v from 'valibot';
import { displayName } from '#contract/core/schema.ts';
import { RATING_WORDS } from '#contract/feedback/rating.ts';
import type { Mails } from '#contract/mail/mail.ts';
import { AccountDeleted } from './templates/AccountDeleted.tsx';
import { AccountInvitation } from './templates/AccountInvitation.tsx';
import { AddressChanged } from './templates/AddressChanged.tsx';
import { AddressCode } from './templates/AddressCode.tsx';
import { AddressTaken } from './templates/AddressTaken.tsx';
import { Assigned } from './templates/Assigned.tsx';
import { BackupCodeUsed } from './templates/BackupCodeUsed.tsx';
import { ConversationReported } from './templates/ConversationReported.tsx';
import { DeliveryTest } from './templates/DeliveryTest.tsx';
import { FeedbackRequest } from './templates/FeedbackRequest.tsx';
import { FormLink } from './templates/FormLink.tsx';
import { FormReady } from './templates/FormReady.tsx';
import { Invitation } from './templates/Invitation.tsx';
import { InvitationElsewhere } from './templates/InvitationElsewhere.tsx';
import { KioskSilent } from './templates/KioskSilent.tsx';
import { Mentioned } from './templates/Mentioned.tsx';
import { MessageReceived } from './templates/MessageReceived.tsx';
import { OperatorInvitation } from './templates/OperatorInvitation.tsx';
import { PasswordChanged } from './templates/PasswordChanged.tsx';
import { PlanNews } from './templates/PlanNews.tsx';
import { Report } from './templates/Report.tsx';
import { ResetCode } from './templates/ResetCode.tsx';
import { SecondFactorChanged } from './templates/SecondFactorChanged.tsx';
import { SecondFactorReset } from './templates/SecondFactorReset.tsx';
import { SecondFactorResetAsked } from './templates/SecondFactorResetAsked.tsx';
import { SignUpCode } from './templates/SignUpCode.tsx';
import { UrgentDigest } from './templates/UrgentDigest.tsx';
import { UrgentFeedback } from './templates/UrgentFeedback.tsx';
import { VisitorAnswer } from './templates/VisitorAnswer.tsx';
import { WebhookFailing } from './templates/WebhookFailing.tsx';
import { Welcome } from './templates/Welcome.tsx';

interface MailTemplate<Props> {
  /** Fixed text, as stored and listed, without a code or a name that someone chose (docs/rules.md#mails). */
  readonly subject: string;
  /** The subject that is sent, if a code or a name helps the recipient. */
  readonly subjectFor?: (props: Props) => string;
  /** The URL whose QR code the email shows as `cid:code`. */
  readonly codeFor?: (props: Props) => string | undefined;
  readonly Body: FunctionComponent<Props>;
}

const codeFirst = ({ code }: { readonly code: string }): string => `${code} is your Afterword code`;

const resetSubject = ({ code }: Mails['reset-code']): string =>
  code === undefined ? 'Reset your Afterword password' : `${code} resets your Afterword password`;

const INVITED = 'You are invited to a team on Afterword';

/** Returns a subject that contains only names that pass today's rule, which allows no link or address. */
function invitedBy({ invitedBy: inviter, company }: Mails['invitation']): string {
  if (!v.is(displayName, company)) return INVITED;
  return v.is(displayName, inviter) ? `${inviter} invited you to ${company}` : `You are invited to ${company}`;
}

const mentionedBy = ({ by }: Mails['mentioned']): string =>
  v.is(displayName, by) ? `${by} mentioned you on Afterword` : 'A teammate mentioned you on Afterword';

const assignedBy = ({ by }: Mails['assigned']): string =>
  v.is(displayName, by) ? `${by} assigned feedback to you on Afterword` : 'Feedback was assigned to you on Afterword';

/** Returns a subject that contains the property's name only if it passes the stricter rule for names. */
const reportOn = ({ kind, place, period }: Mails['report']): string =>
  v.is(displayName, place) ? `${place}: your ${kind} report, ${period}` : `Your ${kind} report, ${period}`;
/**
 * Returns a subject without a visitor's words, except a name. An addition has the same subject, so that mail apps show both emails
 * as one conversation.
 */
function urgentSubject({ about, contact, place, rating }: Mails['urgent-feedback']): string {
  const where = v.is(displayName, place) ? place : undefined;
  const headline = contact
    ? `${v.is(displayName, contact.name) ? contact.name : 'A visitor'} wants to be contacted${where === undefined ? '' : ` – ${where}`}`
    : `Rated ${RATING_WORDS[rating]}${where === undefined ? '' : ` at ${where}`}`;
  const message = `A visitor wrote to you${where === undefined ? '' : ` – ${where}`}`;
  return { new: headline, added: `Re: ${headline}`, unopened: `Not opened yet: ${headline}`, message }[about];
}

const planNews = ({ about }: Mails['plan-news']): string =>
  ({
    'trial-ending': 'Your free trial of Afterword ends soon',
    'trial-ended': 'Your free trial of Afterword has ended',
    'payment-failed': 'A payment for Afterword failed',
    ended: 'Your Afterword subscription has ended',
  })[about];

/** Returns a subject with the property's name only if it passes the stricter rule for names. */
const answeredBy = ({ place, words }: Mails['visitor-answer']): string => (v.is(displayName, place) ? words.title : words.open);

/** Returns a subject with the property's name only if it passes the stricter rule for names. */
const askedBy = ({ place, words }: Mails['feedback-request']): string => (v.is(displayName, place) ? words.title : words.lead);

const digestSubject = ({ places }: Mails['urgent-digest']): string => {
  const count = places.reduce((sum, place) => sum + place.count, 0);
  const [only, ...others] = places;
  const where = only && others.length === 0 && v.is(displayName, only.place) ? ` at ${only.place}` : '';
  return count === 1 ? `Urgent feedback${where}` : `${count} urgent feedback items${where}`;
};

export const MAILS: { readonly [Name in keyof Mails]: MailTemplate<Mails[Name]> } = {
  'sign-up-code': { subject: 'Confirm your email for Afterword', subjectFor: codeFirst, Body: SignUpCode },
  'reset-code': { subject: 'Reset your Afterword password', subjectFor: resetSubject, Body: ResetCode },
  'address-code': { subject: 'Confirm your new address for Afterword', subjectFor: codeFirst, Body: AddressCode },
  'address-changed': { subject: 'Your Afterword address was changed', Body: AddressChanged },
  'password-changed': { subject: 'Your Afterword password was changed', Body: PasswordChanged },
  'second-factor-changed': { subject: 'Your two-step sign-in on Afterword was changed', Body: SecondFactorChanged },
  'backup-code-used': { subject: 'A backup code was used to sign in to Afterword', Body: BackupCodeUsed },
  'second-factor-reset': { subject: 'Your two-step sign-in on Afterword was turned off', Body: SecondFactorReset },
  'second-factor-reset-asked': { subject: 'Your two-step sign-in on Afterword is about to be turned off', Body: SecondFactorResetAsked },
  'address-taken': { subject: 'You already have an Afterword account', Body: AddressTaken },
  invitation: { subject: INVITED, subjectFor: invitedBy, Body: Invitation },
  'invitation-elsewhere': { subject: 'You are invited to another team on Afterword', subjectFor: invitedBy, Body: InvitationElsewhere },
  'account-invitation': { subject: 'Open your account on Afterword', Body: AccountInvitation },
  'operator-invitation': { subject: 'You run an installation of Afterword', Body: OperatorInvitation },
  welcome: { subject: 'Welcome to Afterword', codeFor: ({ form }) => form, Body: Welcome },
  'account-deleted': { subject: 'Your Afterword account was deleted', Body: AccountDeleted },
  'plan-news': { subject: 'About your Afterword plan', subjectFor: planNews, Body: PlanNews },
  'form-link': { subject: 'The link to your form', Body: FormLink },
  'form-ready': { subject: 'Your new feedback form is ready', Body: FormReady },
  mentioned: { subject: 'A teammate mentioned you on Afterword', subjectFor: mentionedBy, Body: Mentioned },
  assigned: { subject: 'Feedback was assigned to you on Afterword', subjectFor: assignedBy, Body: Assigned },
  'message-received': { subject: 'A team sent you a message on Afterword', Body: MessageReceived },
  'delivery-test': { subject: 'Test email from Afterword', Body: DeliveryTest },
  report: { subject: 'Your report on Afterword', subjectFor: reportOn, Body: Report },
  'webhook-failing': { subject: 'A webhook is failing', Body: WebhookFailing },
  'conversation-reported': { subject: 'A visitor reported a conversation', Body: ConversationReported },
  'kiosk-silent': { subject: 'A kiosk is silent', Body: KioskSilent },
  'urgent-feedback': { subject: 'Urgent feedback from a visitor', subjectFor: urgentSubject, Body: UrgentFeedback },
  'visitor-answer': { subject: 'An answer to a visitor', subjectFor: answeredBy, Body: VisitorAnswer },
  'feedback-request': { subject: 'How was your visit?', subjectFor: askedBy, Body: FeedbackRequest },
  'urgent-digest': { subject: 'Urgent feedback that no one has opened yet', subjectFor: digestSubject, Body: UrgentDigest },
};
