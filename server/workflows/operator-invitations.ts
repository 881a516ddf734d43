import { randomUUID } from 'node:crypto';
import { invitationLink } from '#contract/mail.ts';
import type { UserPool } from '../identity/port.ts';
import { inEveryAccount } from '../kernel/access.ts';
import type { Kernel } from '../kernel/context.ts';
import type { SendMail } from '../kernel/send-mail.ts';

interface OperatorInvitationsOptions {
  readonly kernel: Pick<Kernel, 'config' | 'database' | 'now'>;
  readonly pool: UserPool;
  readonly sendMail: SendMail;
}

/** Mails a link to each operator of the settings whom the user pool does not know: it makes somebody who can sign in and is of no business. */
export async function inviteOperators({ kernel, pool, sendMail }: OperatorInvitationsOptions): Promise<void> {
  const { operatorEmails, publicUrl } = kernel.config;
  for (const to of operatorEmails) {
    await inEveryAccount(kernel, async ({ db }) => {
      if (await pool.isKnown(db, to)) return;
      const key = await pool.invite(db, { sub: randomUUID(), email: to, name: '' });
      if (key === undefined) return;
      await sendMail(
        { db },
        { to, mail: 'operator-invitation', props: { link: invitationLink(publicUrl, key) }, reason: 'operator.invited' },
      );
    });
  }
}
