import { type accountOperations, DELETED_FOR } from '#contract/account.ts';
import { badField } from '#contract/errors.ts';
import { ITSELF } from '#contract/event.ts';
import { subOf } from '#contract/ids.ts';
import { NOT_FOUND } from '#contract/schema.ts';
import * as accounts from '../account/store.ts';
import type { Billing } from '../billing/billing.ts';
import * as events from '../event/store.ts';
import * as feedback from '../feedback/store.ts';
import type { UserPool } from '../identity/port.ts';
import { type AccountScope, type Clocked, inAccount, inEveryAccount, narrowTo } from '../kernel/access.ts';
import type { Handlers } from '../kernel/dispatch.ts';
import type { Work } from '../kernel/jobs.ts';
import * as users from '../user/store.ts';

interface AccountDeletionOptions {
  readonly billing: Billing;
}

/** Deletes an account for its own admin or for an operator: it is out of reach at once, and purged a week later. */
export function openAccountDeletion({ billing: { provider } }: AccountDeletionOptions) {
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
  } satisfies Pick<Handlers<typeof accountOperations>, 'delete' | 'masterDelete'>;

  /** False where there is no such account, or it is deleted already. */
  async function remove(scope: AccountScope): Promise<boolean> {
    if (!(await accounts.remove(scope))) return false;
    await provider.cancel(scope);
    await events.record(scope, 'account.deleted', { subject: scope.accountId, data: {} });
    return true;
  }
}

/** How many of an account's events, or of its feedback, are deleted at a time: no statement outlives its deadline, however big the account is. */
const AT_ONCE = 5_000;

/** Deletes for good, with all their people, the accounts that were deleted a week ago. */
export function purgeAccounts({ kernel, pool }: { readonly kernel: Clocked; readonly pool: UserPool }): Work {
  return {
    async 'account.purge'() {
      const over = new Date(kernel.now() - DELETED_FOR);
      for (const id of await inEveryAccount(kernel, (scope) => accounts.deletedBefore(scope, over))) await purge(id);
    },
  };

  /** Purges one account. If the process dies in between, the next run finds the account again. */
  async function purge(accountId: string): Promise<void> {
    while ((await inEveryAccount(kernel, (scope) => events.forget(scope, accountId, AT_ONCE))) > 0);
    const account = { accountId, actor: ITSELF };
    while ((await inAccount(kernel, account, (scope) => feedback.forget(scope, AT_ONCE))) > 0);
    await inAccount(kernel, account, async (scope) => {
      for (const { id } of await users.all(scope)) await pool.remove(scope.db, subOf(id));
    });
    await inEveryAccount(kernel, (scope) => accounts.destroy(scope, accountId));
  }
}
