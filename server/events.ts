import type { Invitation, Step } from '#contract/form.ts';
import type { Service } from '#contract/review.ts';
import type { Transaction } from './kernel/database.ts';

/** Facts that can happen, in the past tense. Told inside the transaction that made them true. */
export interface Facts {
  'property.created': { propertyId: string; formId: string; steps: Step[]; inviteToReview: Invitation; by: string };
  'property.services-changed': { formId: string; service: readonly Service[]; by: string };
  'property.deleted': { propertyId: string; formId: string };
  'user.removed': { userId: string };
  'form.services-changed': { propertyId: string; service: readonly Service[] };
}

export type FactName = keyof Facts;

/** Facts that become mails, each to the address it carries; told inside the transaction that made them true. */
export interface MailFacts {
  'identity.sign-up-code': { email: string; name: string; code: string };
  'identity.reset-code': { email: string; code: string };
  'identity.address-code': { email: string; code: string };
  /** Goes to the old address. */
  'identity.address-changed': { email: string };
  'identity.password-changed': { email: string };
  'identity.address-taken': { email: string };
  'user.invited': { email: string; name: string; invitedBy: string; company: string; key: string };
  'property.opened': { email: string; place: string; path: string };
  'account.created': { email: string; name: string; company: string };
}

/** Where a mail's fact is told: the transaction, and the account where there is one already. */
export interface MailScope {
  readonly db: Transaction;
  readonly accountId?: string | undefined;
}

/** Tells the notification room: the mail goes out if and only if the transaction commits. */
export type TellMail = <Name extends keyof MailFacts>(scope: MailScope, name: Name, fact: MailFacts[Name]) => Promise<void>;
