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
import { forget as forgetEvents, record } from '../event/store.ts';
import type { UserPool } from '../identity/port.ts';
import type { Platform } from '../platform/context.ts';
import { inSavepoint } from '../platform/database/database.ts';
import { hostOf } from '../platform/http/network.ts';
import { type AccountScope, actingAs, beyond, inAccount, scopeFor } from '../platform/tenancy/access.ts';
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

/** The first step of signing a business up: its account and its admin, together or not at all. */
export function openSignUp({ platform, pool, billing }: SignUpOptions) {
  const [admit, admitEmail] = [openGate(platform, SIGN_UPS), openGate(platform, SIGN_UPS_OF)];
  const admitLook = openGate(platform, LOOKS);
  return {
    /**
     * Creates an account and its admin. Whether the email is taken shows neither in the answer nor in its time; its owner gets
     * a mail. A sign-up that waited for a code of the same address goes, with everything that it made.
     */
    async create({ address }, { password, payload: { data } }) {
      refuseNewBusiness(platform.config);
      const answerDue = sleep(ANSWER_AFTER);
      await admit(hostOf(address));
      await admitEmail(data.emailAddress);
      const { emailAddress: email, displayName: name, companyName: company } = data;
      const person = { sub: randomUUID(), email, name, company, password, confirmed: false };
      const made = await inAccount(platform, { accountId: accountId(platform.random), actor: VISITOR }, async (scope) => {
        const { taken, sub, replaced } = await pool.signUp(scope.db, person);
        if (replaced !== undefined) await forgetBusiness(scope, userId(replaced));
        const insert = () => insertAll(actingAs(scope, userId(sub)), data);
        return inSavepoint(scope.db, insert, () => !taken);
      });
      await answerDue;
      return { success: true, data: made };
    },
    async confirmed({ address }, { userId }) {
      await admitLook(hostOf(address));
      return { status: 'ok', confirmed: await platform.database.transaction({}, (db) => pool.isConfirmed(db, subOf(userId))) };
    },
  } satisfies Pick<Handlers<typeof userOperations>, 'create' | 'confirmed'>;

  /** Deletes for good what a sign-up made that was never confirmed: nobody has been in it. */
  async function forgetBusiness(scope: AccountScope, by: string): Promise<void> {
    const accountId = await users.accountOf(scope.db, by);
    if (accountId === undefined) return;
    await accounts.remove(await scopeFor(scope.db, accountId, scope));
    await beyond(scope, async (every) => {
      await forgetEvents(every, accountId);
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

/** From one address, or one /64. */
const SIGN_UPS = { name: 'sign-ups', most: 20, within: HOUR };
/** Of one email, from wherever: each of them mails something to it. */
const SIGN_UPS_OF = { name: 'sign-ups of', most: 20, within: HOUR };
/** Pages that wait for a confirmation ask every five seconds for three minutes: enough for each sign-up of one address. */
const LOOKS = { name: 'looks at sign-ups', most: 1_000, within: HOUR };
/** Longer (ms) than the work takes on a quiet machine: the little that it takes less for a taken address shows in no time. */
const ANSWER_AFTER = 300;

/** The last step: the subscription opens the dashboard, and the first property has its form. */
export function openGettingStarted({ platform, billing }: Pick<SignUpOptions, 'platform' | 'billing'>) {
  return {
    async getStarted({ scope }, { businessName, services, inviteToReview, timeZone: named }) {
      await activate(scope, { isPaid: billing.provider !== undefined });
      const timeZone = named !== undefined && (await properties.knowsZone(scope, named)) ? named : undefined;
      const made = await createProperty(scope, { displayName: businessName, service: services, inviteToReview, timeZone }, platform.random);
      await record(scope, 'account.set-up', { subject: scope.accountId, data: { propertyId: made.property.id } });
      const account = await accounts.byScope(scope);
      return account ? { status: 'ok', account: accounts.wireAccount(account, { billing, now: scope.now }), ...made } : NOT_FOUND;
    },
  } satisfies Pick<Handlers<typeof accountOperations>, 'getStarted'>;
}
