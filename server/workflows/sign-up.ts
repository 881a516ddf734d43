import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { accountOperations } from '#contract/account.ts';
import { VISITOR } from '#contract/event.ts';
import { accountId, userId } from '#contract/ids.ts';
import { NOT_FOUND } from '#contract/schema.ts';
import { HOUR } from '#contract/time.ts';
import type { userOperations } from '#contract/user.ts';
import * as accounts from '../account/store.ts';
import { activate, type Billing } from '../billing/billing.ts';
import * as subscriptions from '../billing/store.ts';
import { record } from '../event/store.ts';
import type { UserPool } from '../identity/port.ts';
import { type AccountScope, actingAs, inAccount } from '../kernel/access.ts';
import type { Kernel } from '../kernel/context.ts';
import { inSavepoint } from '../kernel/database.ts';
import type { Handlers } from '../kernel/dispatch.ts';
import { hostOf } from '../kernel/network.ts';
import { openGate } from '../kernel/rate-limit.ts';
import * as users from '../user/store.ts';
import { createProperty } from './property.ts';

interface SignUpOptions {
  readonly kernel: Pick<Kernel, 'database' | 'now' | 'random'>;
  readonly pool: UserPool;
  readonly billing: Billing;
}

/** The first step of signing a business up: its account and its admin, together or not at all. */
export function openSignUp({ kernel, pool, billing }: SignUpOptions) {
  const admit = openGate(kernel, SIGN_UPS);
  return {
    /** Creates an account and its admin. Whether the email is taken shows neither in the answer nor in its time; its owner gets a mail. */
    async create({ address }, { password, payload: { data } }) {
      const answerDue = sleep(ANSWER_AFTER);
      await admit(hostOf(address));
      const person = { sub: randomUUID(), email: data.emailAddress, name: data.displayName, password, confirmed: false };
      const made = await inAccount(kernel, { accountId: accountId(kernel.random), actor: VISITOR }, async (scope) => {
        const { taken, sub } = await pool.signUp(scope.db, person);
        const insert = () => insertBusiness(actingAs(scope, userId(sub)), data);
        return inSavepoint(scope.db, insert, () => !taken);
      });
      await answerDue;
      return { success: true, data: made };
    },
  } satisfies Pick<Handlers<typeof userOperations>, 'create'>;

  async function insertBusiness(scope: AccountScope, { companyName, displayName, emailAddress }: Business) {
    const { actor: id, now: created } = scope;
    await accounts.insert(scope, { created, displayName: companyName });
    await subscriptions.insert(scope, { status: 'inactive' });
    const user = await users.insert(scope, { id, created, createdBy: id, displayName, emailAddress, level: 'admin', invited: false });
    await record(scope, 'account.created', { subject: scope.accountId, data: {} });
    const account = await accounts.byScope(scope);
    if (!account) throw new Error('The account was not stored');
    return { user, account: accounts.wireAccount(account, { billing, now: created }) };
  }
}

/** From one address, or one /64. */
const SIGN_UPS = { name: 'sign-ups', most: 20, within: HOUR };
/** Longer (ms) than the work takes on a quiet machine: the little that it takes less for a taken address shows in no time. */
const ANSWER_AFTER = 300;

interface Business {
  readonly companyName: string;
  readonly displayName: string;
  readonly emailAddress: string;
}

/** The last step: the subscription opens the dashboard, and the first property has its form. */
export function openGettingStarted({ kernel, billing }: Pick<SignUpOptions, 'kernel' | 'billing'>) {
  return {
    async getStarted({ scope }, { businessName, services, inviteToReview }) {
      await activate(scope);
      const made = await createProperty(scope, { displayName: businessName, service: services, inviteToReview }, kernel.random);
      await record(scope, 'account.set-up', { subject: scope.accountId, data: { propertyId: made.property.id } });
      const account = await accounts.byScope(scope);
      return account ? { status: 'ok', account: accounts.wireAccount(account, { billing, now: scope.now }), ...made } : NOT_FOUND;
    },
  } satisfies Pick<Handlers<typeof accountOperations>, 'getStarted'>;
}
