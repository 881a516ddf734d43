import type { MailName, Mails } from '#contract/mail/mail.ts';
import type { Transaction } from '../database/database.ts';

/** A mail that is to go out. */
export interface OutgoingMail<Name extends MailName> {
  readonly to: string;
  readonly mail: Name;
  readonly props: Mails[Name];
  /** The name of the event that it is about, such as `user.invited`. */
  readonly reason: string;
  /** The delivery that this mail follows up on, so that mail programs show both as one conversation. */
  readonly thread?: string | undefined;
}

/** The transaction that changes what a mail is about, and the account where there is one already. */
interface MailScope {
  readonly db: Transaction;
  readonly accountId?: string | undefined;
  /** The person in the user pool whose sign-in it is about: what was sent is deleted with them. */
  readonly sub?: string | undefined;
}

/** A mail that waits to be sent: its delivery's id, and its subject as it is listed. */
interface QueuedMail {
  readonly id: string;
  readonly subject: string;
}

/** Queues a mail: it goes out if and only if the transaction commits. */
export type SendMail = <Name extends MailName>(scope: MailScope, mail: OutgoingMail<Name>) => Promise<QueuedMail>;

/** Takes a mail of the account back, for the product itself. False where a mail server was offered it already, or has it. */
export type WithdrawMail = (scope: MailScope, deliveryId: string) => Promise<boolean>;
