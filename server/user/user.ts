import { badField, refusal } from '#contract/errors.ts';
import type { AccountScope } from '../kernel/access.ts';
import * as store from './store.ts';

/** Refuses `conflict` where this person is the account's only admin. Holds the admins until the transaction ends. */
export async function refuseLastAdmin(scope: AccountScope, userId: string, message: string): Promise<void> {
  const admins = await store.heldAdmins(scope);
  if (admins.length === 1 && admins[0] === userId)
    throw refusal('conflict', { detail: message, errors: badField('userId', message).errors });
}
