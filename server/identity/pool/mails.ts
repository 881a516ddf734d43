import { EMAIL } from '#contract/core/schema.ts';
import type { MailName, Mails } from '#contract/mail/mail.ts';
import { inSavepoint, type Transaction } from '../../platform/database/database.ts';
import type { SendMail } from '../../platform/mailer/send-mail.ts';

interface PoolMail<Name extends MailName> {
  /** The person whom it is about; undefined where nobody of the pool has the address. */
  readonly sub: string | undefined;
  readonly to: string;
  readonly mail: Name;
  readonly props: Mails[Name];
}

/** The pool's mails, each in the transaction of what it is about. They carry codes, so they stand in no record. */
export interface PoolMails {
  /** The configured address, for links. */
  readonly site: string;
  send<Name extends MailName>(db: Transaction, mail: PoolMail<Name>): Promise<void>;
  /** Sends a real mail; otherwise does the same work and undoes it, so that the time it took says nothing about who is known here. */
  sendOrSimulate<Name extends MailName>(db: Transaction, mail: PoolMail<Name> & { readonly isReal: boolean }): Promise<void>;
}

export function openPoolMails(sendMail: SendMail, site: string): PoolMails {
  return {
    site,
    send,
    async sendOrSimulate(db, { isReal, ...mail }) {
      const queue = () => send(db, isReal ? mail : { ...mail, to: mailable(mail.to) });
      await inSavepoint(db, queue, () => isReal);
    },
  };

  async function send<Name extends MailName>(db: Transaction, { sub, ...mail }: PoolMail<Name>): Promise<void> {
    await sendMail({ db, sub }, { ...mail, reason: `identity.${mail.mail}` });
  }
}

/** What somebody typed need not be an address at all. */
const mailable = (typed: string): string => (EMAIL.test(typed) ? typed : 'nobody@example.com');
