import { lastAdmin } from '#contract/user/user.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

/** Throws `conflict` if this person is the account's only admin, and locks the admins’ rows until the transaction ends. */
export async function refuseLastAdmin(scope: AccountScope, userId: string, change: Parameters<typeof lastAdmin>[0]): Promise<void> {
  const admins = await store.lockAdmins(scope);
  if (admins.length === 1 && admins[0] === userId) throw lastAdmin(change);
}
