import type { MailName, Mails } from '#contract/mail.ts';
import type { Transaction } from './database.ts';

/** A mail that is to go out. */
export interface OutgoingMail<Name extends MailName> {
  readonly to: string;
  readonly mail: Name;
  readonly props: Mails[Name];
  /** The name of the event that it is about, such as `user.invited`. */
  readonly reason: string;
}

/** The transaction that changes what a mail is about, and the account where there is one already. */
export interface MailScope {
  readonly db: Transaction;
  readonly accountId?: string | undefined;
}

/** Queues a mail: it goes out if and only if the transaction commits. */
export type SendMail = <Name extends MailName>(scope: MailScope, mail: OutgoingMail<Name>) => Promise<void>;
