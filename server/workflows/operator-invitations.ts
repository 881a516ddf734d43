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

/** Emails a link to each operator in the settings who isn't in the user pool yet. It creates a person without an account. */
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

/** Emails the link to one operator, even if an earlier one is still valid. Returns the new id, or undefined if the address is taken. */
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
