import type { MailName, Mails } from '#contract/mail/mail.ts';
import type { Transaction } from '../database/database.ts';

/** A mail to be queued. */
export interface OutgoingMail<Name extends MailName> {
  readonly to: string;
  readonly mail: Name;
  readonly props: Mails[Name];
  /** The name of the event that causes it, such as `user.invited`. */
  readonly reason: string;
  /** The delivery that this mail follows, so that mail programs show both as one conversation. */
  readonly thread?: string | undefined;
}

/** The transaction that causes a mail, and the account if there is one yet. */
interface MailScope {
  readonly db: Transaction;
  readonly accountId?: string | undefined;
  /** The user pool id of the person whose sign-in it's about; the delivery is deleted with them. */
  readonly sub?: string | undefined;
}

/** A queued mail: its delivery's id, and its subject for lists. */
interface QueuedMail {
  readonly id: string;
  readonly subject: string;
}

/** Queues a mail, which is sent only if the transaction commits. */
export type SendMail = <Name extends MailName>(scope: MailScope, mail: OutgoingMail<Name>) => Promise<QueuedMail>;

/** Cancels an account's mail. Returns false if it was already offered to a mail server. */
export type WithdrawMail = (scope: MailScope, deliveryId: string) => Promise<boolean>;

/** Cancels a mail that wasn't sent. One that failed stays in the list and can't be sent again; one that is being sent may still arrive. */
export type CancelMail = (scope: MailScope, deliveryId: string) => Promise<void>;

/** Deletes a mail from the list and the queue. One that is being sent now still arrives. */
export type DeleteMail = (scope: MailScope, deliveryId: string) => Promise<void>;
