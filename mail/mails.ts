import type { FunctionComponent } from 'react';
import type { Mails } from '#contract/mail.ts';
import { AddressChanged } from './templates/AddressChanged.tsx';
import { AddressCode } from './templates/AddressCode.tsx';
import { AddressTaken } from './templates/AddressTaken.tsx';
import { FormReady } from './templates/FormReady.tsx';
import { Invitation } from './templates/Invitation.tsx';
import { InvitationElsewhere } from './templates/InvitationElsewhere.tsx';
import { PasswordChanged } from './templates/PasswordChanged.tsx';
import { ResetCode } from './templates/ResetCode.tsx';
import { SignUpCode } from './templates/SignUpCode.tsx';
import { UrgentFeedback } from './templates/UrgentFeedback.tsx';
import { Welcome } from './templates/Welcome.tsx';

interface MailTemplate<Props> {
  /** Fixed text: neither a name that somebody chose nor a code belongs where it is shown, stored and listed (docs/rules.md#mails). */
  readonly subject: string;
  readonly Body: FunctionComponent<Props>;
}

export const MAILS: { readonly [Name in keyof Mails]: MailTemplate<Mails[Name]> } = {
  'sign-up-code': { subject: 'Your Afterword sign-up code', Body: SignUpCode },
  'reset-code': { subject: 'Reset your Afterword password', Body: ResetCode },
  'address-code': { subject: 'Confirm your new address for Afterword', Body: AddressCode },
  'address-changed': { subject: 'Your Afterword address was changed', Body: AddressChanged },
  'password-changed': { subject: 'Your Afterword password was changed', Body: PasswordChanged },
  'address-taken': { subject: 'You already have an Afterword account', Body: AddressTaken },
  invitation: { subject: 'You are invited to a team on Afterword', Body: Invitation },
  'invitation-elsewhere': { subject: 'You are invited to another team on Afterword', Body: InvitationElsewhere },
  welcome: { subject: 'Welcome to Afterword', Body: Welcome },
  'form-ready': { subject: 'Your new feedback form is ready', Body: FormReady },
  'urgent-feedback': { subject: 'Urgent feedback from a visitor', Body: UrgentFeedback },
};
