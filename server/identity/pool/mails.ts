import { EMAIL } from '#contract/core/schema.ts';
import type { MailName, Mails } from '#contract/mail/mail.ts';
import { inSavepoint, type Transaction } from '../../platform/database/database.ts';
import type { SendMail } from '../../platform/mailer/send-mail.ts';

interface PoolMail<Name extends MailName> {
  /** The person it is about; undefined if the address is unknown. */
  readonly sub: string | undefined;
  readonly to: string;
  readonly mail: Name;
  readonly props: Mails[Name];
}

/** The pool's mails, each sent in the transaction it reports. They contain codes, so they are not recorded. */
export interface PoolMails {
  /** The configured address, for links. */
  readonly site: string;
  send<Name extends MailName>(db: Transaction, mail: PoolMail<Name>): Promise<void>;
  /** Sends a real mail; otherwise does the same work and rolls it back, so that the time doesn't reveal who has an account. */
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

/** The typed text may not be an address. */
const mailable = (typed: string): string => (EMAIL.test(typed) ? typed : 'nobody@example.com');
