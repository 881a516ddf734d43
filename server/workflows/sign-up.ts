import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { accountOperations } from '#contract/account/account.ts';
import { accountId, subOf, userId } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR } from '#contract/core/time.ts';
import { VISITOR } from '#contract/event/event.ts';
import type { userOperations } from '#contract/user/user.ts';
import * as accounts from '../account/store.ts';
import { activate, type Billing } from '../billing/billing.ts';
import { deleteAll as deleteEvents, record } from '../event/store.ts';
import type { UserPool } from '../identity/port.ts';
import type { Platform } from '../platform/context.ts';
import { inSavepoint } from '../platform/database/database.ts';
import { hostOf } from '../platform/http/network.ts';
import { type AccountScope, actingAs, asStranger, inAccount, scopeFor, widenToEveryAccount } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { openGate } from '../platform/tenancy/rate-limit.ts';
import * as properties from '../property/store.ts';
import * as users from '../user/store.ts';
import { type Business, insertBusiness, refuseNewBusiness } from './business.ts';
import { createProperty } from './property.ts';

interface SignUpOptions {
  readonly platform: Pick<Platform, 'config' | 'database' | 'now' | 'random'>;
  readonly pool: UserPool;
  readonly billing: Billing;
}

/** Operations of the first step of signing up a business. */
export function openSignUp({ platform, pool, billing }: SignUpOptions) {
  const [admit, admitEmail] = [openGate(platform, SIGN_UPS), openGate(platform, SIGN_UPS_OF)];
  const admitLook = openGate(platform, CONFIRMATION_CHECKS);
  return {
    /**
     * Creates an account and its admin. Neither the answer nor its timing reveals whether the email is taken; its owner gets a mail. An
     * unconfirmed earlier sign-up with this address is deleted with all its data.
     */
    async create({ address }, { password, payload: { data } }) {
      refuseNewBusiness(platform.config);
      const answerDue = sleep(ANSWER_AFTER);
      await admit(hostOf(address));
      await admitEmail(data.emailAddress);
      const { emailAddress: email, displayName: name, companyName: company } = data;
      const person = { sub: randomUUID(), email, name, company, password, confirmed: false };
      const create = async (scope: AccountScope) => {
        const { taken, sub, replaced } = await pool.signUp(scope.db, person);
        if (replaced !== undefined) await deleteBusiness(scope, userId(replaced));
        const insert = () => insertAll(actingAs(scope, userId(sub)), data);
        return inSavepoint(scope.db, insert, () => !taken);
      };
      const account = { accountId: accountId(platform.random), actor: VISITOR };
      const created = await asStranger(platform, () => inAccount(platform, account, create));
      await answerDue;
      return { success: true, data: created };
    },
    async confirmed({ address }, { userId }) {
      await admitLook(hostOf(address));
      const read = () => platform.database.transaction({}, (db) => pool.isConfirmed(db, subOf(userId)));
      return { status: 'ok', confirmed: await asStranger(platform, read) };
    },
  } satisfies Pick<Handlers<typeof userOperations>, 'create' | 'confirmed'>;

  /** Deletes the account of a sign-up that was never confirmed. */
  async function deleteBusiness(scope: AccountScope, by: string): Promise<void> {
    const accountId = await users.accountOf(scope.db, by);
    if (accountId === undefined) return;
    await accounts.remove(await scopeFor(scope.db, accountId, scope));
    await widenToEveryAccount(scope, async (every) => {
      await deleteEvents(every, accountId);
      await accounts.destroy(every, accountId);
    });
  }

  async function insertAll(scope: AccountScope, business: Business) {
    const user = await insertBusiness(scope, { ...business, id: scope.actor, invited: false });
    const account = await accounts.byScope(scope);
    if (!account) throw new Error('The account was not stored');
    return { user, account: accounts.wireAccount(account, { billing, now: scope.now }) };
  }
}

/** Sign-ups per IPv4 address or IPv6 /64. @limit sign-ups */
const SIGN_UPS = { name: 'sign-ups', most: 20, within: HOUR };
/** Per email address, because each sign-up sends a mail to it. @limit sign-ups */
const SIGN_UPS_OF = { name: 'sign-ups of', most: 20, within: HOUR };
/** Enough for every sign-up from one address, because waiting pages poll every five seconds for three minutes. */
const CONFIRMATION_CHECKS = { name: 'looks at sign-ups', most: 1_000, within: HOUR };
/** How long an answer takes at least (ms), so that it doesn't reveal a taken address. @limit sign-up-time */
const ANSWER_AFTER = 300;

/** The operation of the last step, which activates the subscription and creates the first property. */
export function openGettingStarted({ platform, billing }: Pick<SignUpOptions, 'platform' | 'billing'>) {
  return {
    async getStarted({ scope }, { businessName, services, inviteToReview, timeZone: zone }) {
      await activate(scope, { isPaid: billing.provider !== undefined });
      const timeZone = zone !== undefined && (await properties.isKnownZone(scope, zone)) ? zone : undefined;
      const created = await createProperty(
        scope,
        { displayName: businessName, service: services, inviteToReview, timeZone },
        platform.random,
      );
      await record(scope, 'account.set-up', { subject: scope.accountId, data: { propertyId: created.property.id } });
      const account = await accounts.byScope(scope);
      return account ? { status: 'ok', account: accounts.wireAccount(account, { billing, now: scope.now }), ...created } : NOT_FOUND;
    },
  } satisfies Pick<Handlers<typeof accountOperations>, 'getStarted'>;
}
