import { ACCOUNT_RESTORE_WINDOW, type accountOperations } from '#contract/account/account.ts';
import { badField, refusal } from '#contract/core/errors.ts';
import { subOf } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { SYSTEM } from '#contract/event/event.ts';
import * as accounts from '../account/store.ts';
import type { Billing } from '../billing/billing.ts';
import * as events from '../event/store.ts';
import * as exports from '../export/store.ts';
import * as counts from '../feedback/counts-store.ts';
import * as feedback from '../feedback/store.ts';
import * as requests from '../feedback-request/store.ts';
import type { UserPool } from '../identity/port.ts';
import { purgeDeliveries, purgeEscalations, purgeNotifications } from '../notification/store.ts';
import { inTurns, type Position } from '../platform/database/batches.ts';
import { eachSettled } from '../platform/each-settled.ts';
import { deleteAccountJobs } from '../platform/jobs/account-jobs.ts';
import type { Work } from '../platform/jobs/jobs.ts';
import { type AccountScope, type DatabaseAndClock, inAccount, inEveryAccount, narrowTo } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import * as users from '../user/store.ts';
import * as views from '../view/store.ts';
import * as webhooks from '../webhook/store.ts';

interface AccountDeletionOptions {
  readonly billing: Billing;
}

/** Operations by which admins and operators delete and restore an account. It's hidden at once and purged a week later. */
export function openAccountDeletion({ billing }: AccountDeletionOptions) {
  return {
    async delete({ scope }, { displayName }) {
      const account = await accounts.byScope(scope);
      if (!account) return NOT_FOUND;
      if (displayName.trim() !== account.displayName) throw badField('displayName', 'Type the account’s name exactly as shown');
      await remove(scope);
      return { status: 'ok' };
    },
    async masterDelete({ scope }, { accountId }) {
      return (await narrowTo(scope, accountId, remove)) ? { status: 'ok' } : NOT_FOUND;
    },
    async deletion({ scope, person }) {
      const deletion = await accounts.deletionOf(scope);
      if (!deletion) return NOT_FOUND;
      const { displayName, deleted } = deletion;
      const since = deleted?.getTime();
      const times = since !== undefined && { deletedAt: since, until: since + ACCOUNT_RESTORE_WINDOW };
      return { status: 'ok', displayName, ...times, mayRestore: person.level === 'admin' };
    },
    async restore({ scope }) {
      await restore(scope);
      const account = await accounts.byScope(scope);
      return account ? { status: 'ok', account: accounts.wireAccount(account, { billing, now: scope.now }) } : NOT_FOUND;
    },
    async masterRestore({ scope }, { accountId }) {
      const isRestored = await narrowTo(scope, accountId, async (account) => {
        if (!(await restore(account))) return false;
        if ((await users.lockAdmins(account)).length === 0)
          throw refusal('conflict', 'No one could sign in, because its admins have signed up again.');
        return true;
      });
      return isRestored ? { status: 'ok' } : NOT_FOUND;
    },
  } satisfies Pick<Handlers<typeof accountOperations>, 'delete' | 'masterDelete' | 'deletion' | 'restore' | 'masterRestore'>;

  /** Restores a deleted account. Returns false if it doesn't exist, isn't deleted, or was deleted too long ago. */
  async function restore(scope: AccountScope): Promise<boolean> {
    if (!(await accounts.restore(scope, new Date(scope.now.getTime() - ACCOUNT_RESTORE_WINDOW)))) return false;
    await events.record(scope, 'account.restored', { subject: scope.accountId, data: {} });
    return true;
  }

  /** Deletes an account. Returns false if it doesn't exist or is deleted already. */
  async function remove(scope: AccountScope): Promise<boolean> {
    if (!(await accounts.remove(scope))) return false;
    await billing.cancel(scope);
    await events.record(scope, 'account.deleted', { subject: scope.accountId, data: {} });
    return true;
  }
}

/** Deletes rows that may be too many for one statement, or that refer only to feedback. The others are deleted with the account's row. */
const PURGES = [
  ...[purgeNotifications, purgeEscalations, feedback.purge, counts.purgeQuarters, counts.purgeDays],
  ...[views.purgeDays, views.purgeQuarters, webhooks.purge, requests.purge],
];
/** The same for rows that only operators may delete. */
const OPERATOR_PURGES = [events.purge, purgeDeliveries];

/** Runs batches that each continue after the last position of the one before. */
function inOrder(signal: AbortSignal, runBatch: (after: Position | undefined) => Promise<Position | undefined>): Promise<void> {
  let last: Position | undefined;
  return inTurns(signal, async () => {
    last = await runBatch(last);
    return last !== undefined;
  });
}

/** Parts of an export that are deleted at a time, because each is large. */
const PARTS_AT_ONCE = 100;

/** Jobs that follow a deletion: the subscription ends at once, and a week later the account and its people are purged. */
export function finishDeletions({
  platform,
  pool,
  billing,
}: AccountDeletionOptions & { readonly platform: DatabaseAndClock; readonly pool: UserPool }): Work {
  return {
    async 'billing.cancel'({ data: { accountId } }) {
      const deletion = await inAccount(platform, { accountId, actor: SYSTEM }, accounts.deletionOf);
      // An account that was restored by then keeps its subscription.
      if (deletion?.deleted) await billing.end(accountId);
    },
    async 'account.purge'({ signal }) {
      const before = new Date(platform.now() - ACCOUNT_RESTORE_WINDOW);
      const accountIds = await inEveryAccount(platform, (scope) => accounts.deletedBefore(scope, before));
      await eachSettled(accountIds, (accountId) => purge(accountId, signal));
    },
  };

  /** Purges one account. If the process dies or the attempt's time is over, the next run finds it again. */
  async function purge(accountId: string, signal: AbortSignal): Promise<void> {
    const account = { accountId, actor: SYSTEM };
    // Once the account is gone, no one could cancel its subscription.
    if (await inAccount(platform, account, isStillPaid)) return;
    for (const purgeRows of OPERATOR_PURGES)
      await inOrder(signal, (after) => inEveryAccount(platform, ({ db }) => purgeRows({ db, accountId }, after)));
    for (const id of await inAccount(platform, account, (scope) => exports.all(scope)))
      while (await inAccount(platform, account, (scope) => exports.deleteParts(scope, id, PARTS_AT_ONCE)));
    for (const purgeRows of PURGES) await inOrder(signal, (after) => inAccount(platform, account, (scope) => purgeRows(scope, after)));
    await inAccount(platform, account, async (scope) => {
      for (const { id } of await users.all(scope)) await pool.remove(scope.db, subOf(id));
    });
    await inEveryAccount(platform, async (scope) => {
      await deleteAccountJobs(scope, accountId);
      // Those recorded since, or skipped because they were being relayed.
      await events.deleteAll(scope, accountId);
      await accounts.destroy(scope, accountId);
    });
  }

  async function isStillPaid(scope: AccountScope): Promise<boolean> {
    if (!(await billing.isRunning(scope))) return false;
    await billing.cancel(scope);
    return true;
  }
}
