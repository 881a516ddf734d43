import type { MailName, Mails } from '#contract/mail.ts';
import { EMAIL } from '#contract/schema.ts';
import type { Transaction } from '../../kernel/database.ts';
import type { SendMail } from '../../kernel/send-mail.ts';

interface PoolMail<Name extends MailName> {
  readonly to: string;
  readonly mail: Name;
  readonly props: Mails[Name];
}

/** The pool's mails, each in the transaction of what it tells of. They carry codes, so they stand in no record. */
export interface PoolMails {
  /** The configured address, for links. */
  readonly site: string;
  send<Name extends MailName>(db: Transaction, mail: PoolMail<Name>): Promise<void>;
  /** Sends a mail, or does the same work and takes it back: how long it took says nothing about who is known here. */
  sendOrSeemTo<Name extends MailName>(db: Transaction, mail: PoolMail<Name> & { readonly isMeant: boolean }): Promise<void>;
}

export function openPoolMails(sendMail: SendMail, site: string): PoolMails {
  return {
    site,
    send,
    async sendOrSeemTo(db, { isMeant, ...mail }) {
      await db.$client.query('savepoint told');
      await send(db, isMeant ? mail : { ...mail, to: mailable(mail.to) });
      await db.$client.query(isMeant ? 'release savepoint told' : 'rollback to savepoint told');
    },
  };

  function send<Name extends MailName>(db: Transaction, mail: PoolMail<Name>): Promise<void> {
    return sendMail({ db }, { ...mail, reason: `identity.${mail.mail}` });
  }
}

/** What somebody typed need not be an address at all. */
const mailable = (typed: string): string => (EMAIL.test(typed) ? typed : 'nobody@example.com');

/** Where a mail went, as far as whoever asks may see it: what they typed, masked. */
export function deliveryTo(email: string) {
  const [name = '', host = ''] = email.split('@');
  return { Destination: `${name.slice(0, 1)}***@${host.slice(0, 1)}***`, DeliveryMedium: 'EMAIL', AttributeName: 'email' };
}
