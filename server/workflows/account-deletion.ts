import { type accountOperations, DELETED_FOR } from '#contract/account/account.ts';
import { badField, refusal } from '#contract/core/errors.ts';
import { subOf } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { ITSELF } from '#contract/event/event.ts';
import * as accounts from '../account/store.ts';
import type { Billing } from '../billing/billing.ts';
import * as events from '../event/store.ts';
import * as exports from '../export/store.ts';
import * as counts from '../feedback/counts-store.ts';
import * as feedback from '../feedback/store.ts';
import type { UserPool } from '../identity/port.ts';
import { forgetDeliveries, forgetNotifications } from '../notification/store.ts';
import { inBatches } from '../platform/database/batches.ts';
import { eachSettled } from '../platform/each-settled.ts';
import { forgetJobs } from '../platform/jobs/forget.ts';
import type { Work } from '../platform/jobs/jobs.ts';
import { type AccountScope, type Clocked, inAccount, inEveryAccount, narrowTo } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import * as users from '../user/store.ts';
import * as views from '../view/store.ts';
import * as webhooks from '../webhook/store.ts';

interface AccountDeletionOptions {
  readonly billing: Billing;
}

/** Deletes an account for its own admin or for an operator: it is out of reach at once, can be brought back by either, and is purged a week later. */
export function openAccountDeletion({ billing }: AccountDeletionOptions) {
  return {
    async delete({ scope }, { displayName }) {
      const account = await accounts.byScope(scope);
      if (!account) return NOT_FOUND;
      if (displayName.trim() !== account.displayName) throw badField('displayName', 'Type the account’s name as it is written');
      await remove(scope);
      return { status: 'ok' };
    },
    async masterDelete({ scope }, { accountId }) {
      return (await narrowTo(scope, accountId, remove)) ? { status: 'ok' } : NOT_FOUND;
    },
    async deletion({ scope, person }) {
      const found = await accounts.deletionOf(scope);
      if (!found) return NOT_FOUND;
      const { displayName, deleted } = found;
      const since = deleted?.getTime();
      const times = since !== undefined && { deletedAt: since, until: since + DELETED_FOR };
      return { status: 'ok', displayName, ...times, mayRestore: person.level === 'admin' };
    },
    async restore({ scope }) {
      await restore(scope);
      const account = await accounts.byScope(scope);
      return account ? { status: 'ok', account: accounts.wireAccount(account, { billing, now: scope.now }) } : NOT_FOUND;
    },
    async masterRestore({ scope }, { accountId }) {
      const isBack = await narrowTo(scope, accountId, async (account) => {
        if (!(await restore(account))) return false;
        if ((await users.lockAdmins(account)).length === 0)
          throw refusal('conflict', 'No one could sign in: its admins have signed up again.');
        return true;
      });
      return isBack ? { status: 'ok' } : NOT_FOUND;
    },
  } satisfies Pick<Handlers<typeof accountOperations>, 'delete' | 'masterDelete' | 'deletion' | 'restore' | 'masterRestore'>;

  /** False where there is no such account, it stands, or its time is over. */
  async function restore(scope: AccountScope): Promise<boolean> {
    if (!(await accounts.restore(scope, new Date(scope.now.getTime() - DELETED_FOR)))) return false;
    await events.record(scope, 'account.restored', { subject: scope.accountId, data: {} });
    return true;
  }

  /** False where there is no such account, or it is deleted already. */
  async function remove(scope: AccountScope): Promise<boolean> {
    if (!(await accounts.remove(scope))) return false;
    await billing.cancel(scope);
    await events.record(scope, 'account.deleted', { subject: scope.accountId, data: {} });
    return true;
  }
}

/** What an account may have more of than one statement deletes in its time. The account's row takes along the rest, which is few. */
const MANY = [forgetNotifications, feedback.forget, counts.forget, views.forget, webhooks.forget];
/** The same of what nobody in the account may delete. */
const MANY_TO_OPERATORS = [events.forget, forgetDeliveries];

/** How many pieces of a file are deleted at a time: each is large. */
const PIECES_AT_ONCE = 100;

/** What follows a deletion: what the account pays for ends, and a week later it is deleted for good, with all its people. */
export function finishDeletions({
  platform,
  pool,
  billing,
}: AccountDeletionOptions & { readonly platform: Clocked; readonly pool: UserPool }): Work {
  return {
    async 'billing.cancel'({ data: { accountId } }) {
      const found = await inAccount(platform, { accountId, actor: ITSELF }, accounts.deletionOf);
      // One that was brought back meanwhile goes on with what it pays for.
      if (found?.deleted) await billing.end(accountId);
    },
    async 'account.purge'() {
      const over = new Date(platform.now() - DELETED_FOR);
      await eachSettled(await inEveryAccount(platform, (scope) => accounts.deletedBefore(scope, over)), purge);
    },
  };

  /** Purges one account. If the process dies in between, the next run finds the account again. */
  async function purge(accountId: string): Promise<void> {
    const account = { accountId, actor: ITSELF };
    // Nobody would ever end what is paid for an account that is gone.
    if (await inAccount(platform, account, isStillPaid)) return;
    for (const forget of MANY_TO_OPERATORS) await inBatches(() => inEveryAccount(platform, (scope) => forget(scope, accountId)));
    for (const id of await inAccount(platform, account, (scope) => exports.all(scope)))
      while (await inAccount(platform, account, (scope) => exports.forget(scope, id, PIECES_AT_ONCE)));
    for (const forget of MANY) await inBatches(() => inAccount(platform, account, forget));
    await inAccount(platform, account, async (scope) => {
      for (const { id } of await users.all(scope)) await pool.remove(scope.db, subOf(id));
    });
    await inEveryAccount(platform, async (scope) => {
      await forgetJobs(scope, accountId);
      await accounts.destroy(scope, accountId);
    });
  }

  async function isStillPaid(scope: AccountScope): Promise<boolean> {
    if (!(await billing.isRunning(scope))) return false;
    await billing.cancel(scope);
    return true;
  }
}
