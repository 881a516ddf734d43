import { refusal } from '#contract/core/errors.ts';
import type { User } from '#contract/user/user.ts';
import * as accounts from '../account/store.ts';
import * as subscriptions from '../billing/store.ts';
import { record } from '../event/store.ts';
import type { Config } from '../platform/config/config.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as users from '../user/store.ts';

/** A business that is new, as somebody typed it. */
export interface Business {
  readonly companyName: string;
  readonly displayName: string;
  readonly emailAddress: string;
}

export interface NewAdmin {
  /** A person's id. */
  readonly id: string;
  /** Asked by an operator, and has not come yet. */
  readonly invited: boolean;
}

/** Writes an account that is not set up, with its admin. */
export async function insertBusiness(
  scope: AccountScope,
  { companyName, displayName, emailAddress, ...admin }: Business & NewAdmin,
): Promise<User> {
  const { actor: createdBy, now: created } = scope;
  await accounts.insert(scope, { created, displayName: companyName });
  await subscriptions.insert(scope, { status: 'inactive' });
  const user = await users.insert(scope, { ...admin, created, createdBy, displayName, emailAddress, level: 'admin' });
  await record(scope, 'account.created', { subject: scope.accountId, data: {} });
  return user;
}

const REFUSED = {
  closed: 'This installation takes no new businesses.',
  invitation: 'New businesses come by invitation here. Ask whoever runs this installation for one.',
} as const;

/** Refuses `sign-up-closed` where not everybody may sign a business up; `byOperator` where an operator opens its account. */
export function refuseNewBusiness({ registration }: Pick<Config, 'registration'>, { byOperator = false } = {}): void {
  if (registration === 'open' || (byOperator && registration === 'invitation')) return;
  throw refusal('sign-up-closed', REFUSED[registration]);
}
