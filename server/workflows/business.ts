import { refusal } from '#contract/core/errors.ts';
import type { TeamLanguage } from '#contract/language/team.ts';
import type { User } from '#contract/user/user.ts';
import * as accounts from '../account/store.ts';
import * as subscriptions from '../billing/store.ts';
import { record } from '../event/store.ts';
import type { Config } from '../platform/config/config.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import * as users from '../user/store.ts';

/** A new business, as entered by a person. */
export interface Business {
  readonly companyName: string;
  readonly displayName: string;
  readonly emailAddress: string;
  /** The language of the sign-up page. */
  readonly language?: TeamLanguage | undefined;
}

export interface NewAdmin {
  /** A person's id. */
  readonly id: string;
  /** Whether an operator invited them and they haven't accepted yet. */
  readonly invited: boolean;
}

/** Creates an account that isn't set up yet, with its admin. */
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

const REFUSALS = {
  closed: 'This installation doesn’t accept new businesses.',
  invitation: 'New businesses join by invitation. Ask the operator of this installation for one.',
} as const;

/** Refuses `sign-up-closed` unless the business may sign up, or an operator may open its account with `byOperator`. */
export function refuseNewBusiness({ registration }: Pick<Config, 'registration'>, { byOperator = false } = {}): void {
  if (registration === 'open' || (byOperator && registration === 'invitation')) return;
  throw refusal('sign-up-closed', REFUSALS[registration]);
}
