import { randomUUID } from 'node:crypto';
import { invitationLink } from '#contract/mail/mail.ts';
import type { UserPool } from '../identity/port.ts';
import type { Platform } from '../platform/context.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import { inEveryAccount } from '../platform/tenancy/access.ts';

interface OperatorInvitationsOptions {
  readonly platform: Pick<Platform, 'config' | 'database' | 'now'>;
  readonly pool: UserPool;
  readonly sendMail: SendMail;
}

/** Mails a link to each operator of the settings whom the user pool does not know: it makes somebody who can sign in and is of no business. */
export async function inviteOperators({ platform, pool, sendMail }: OperatorInvitationsOptions): Promise<void> {
  const { operatorEmails, publicUrl } = platform.config;
  const invite = openOperatorInvitation({ publicUrl, pool, sendMail });
  for (const to of operatorEmails) {
    await inEveryAccount(platform, async ({ db }) => {
      if (!(await pool.isKnown(db, to))) await invite(db, to);
    });
  }
}

type OperatorInvitationOptions = Pick<OperatorInvitationsOptions, 'pool' | 'sendMail'> & { readonly publicUrl: string };

/** Mails the link to one of them, also where an earlier one lasts; gives the id that it would make. Undefined where somebody has the address. */
export const openOperatorInvitation =
  ({ publicUrl, pool, sendMail }: OperatorInvitationOptions) =>
  async (db: Transaction, to: string): Promise<string | undefined> => {
    const sub = randomUUID();
    const key = await pool.invite(db, { sub, email: to, name: '' });
    if (key === undefined) return undefined;
    const props = { link: invitationLink(publicUrl, key) };
    await sendMail({ db }, { to, mail: 'operator-invitation', props, reason: 'operator.invited' });
    return sub;
  };
