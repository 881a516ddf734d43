import { randomUUID } from 'node:crypto';
import type { accountOperations } from '#contract/account/account.ts';
import { refusal } from '#contract/core/errors.ts';
import { accountId, subOf, userId } from '#contract/core/ids.ts';
import { INSTALLATION } from '#contract/event/event.ts';
import { invitationLink } from '#contract/mail/mail.ts';
import type { User } from '#contract/user/user.ts';
import type { UserPool } from '../identity/port.ts';
import type { Platform } from '../platform/context.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import { narrowTo, type OperatorScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { type Business, insertBusiness, type NewAdmin, refuseNewBusiness } from './business.ts';
import { invitedBusiness } from './operator-store.ts';

interface AccountInvitationsOptions {
  readonly platform: Pick<Platform, 'config' | 'random'>;
  readonly pool: UserPool;
  readonly sendMail: SendMail;
}

/**
 * Invites a business on behalf of an operator: its admin receives a link by email, as a teammate would, and sets the account up. An
 * operator without an account may open their own (docs/rules.md#registration).
 */
export function openAccountInvitations({ platform, pool, sendMail }: AccountInvitationsOptions) {
  return {
    async invite({ scope, person }, business) {
      refuseNewBusiness(platform.config, { byOperator: true });
      if (person.accountId === INSTALLATION && business.emailAddress === person.emailAddress) {
        await open(scope, business, { id: person.userId, invited: false });
        return { status: 'ok', isOwn: true };
      }
      const { user, company } = (await invitedBusiness(scope, business.emailAddress)) ?? (await open(scope, business, invitee()));
      const { emailAddress: to, displayName: name } = user.data;
      const key = await pool.invite(scope.db, { sub: subOf(user.id), email: to, name });
      if (key === undefined) throw refusal('conflict', 'Someone already signs in with this address.');
      const props = { name, company, link: invitationLink(platform.config.publicUrl, key) };
      await narrowTo(scope, user.data.accountId, (account) =>
        sendMail(account, { to, mail: 'account-invitation', props, reason: 'account.invited' }),
      );
      return { status: 'ok', isOwn: false };
    },
  } satisfies Pick<Handlers<typeof accountOperations>, 'invite'>;

  async function open(scope: OperatorScope, business: Business, admin: NewAdmin): Promise<{ user: User; company: string }> {
    const user = await narrowTo(scope, accountId(platform.random), (account) => insertBusiness(account, { ...business, ...admin }));
    return { user, company: business.companyName };
  }
}

const invitee = (): NewAdmin => ({ id: userId(randomUUID()), invited: true });
