import * as apiKeys from '../api-key/store.ts';
import { record } from '../event/store.ts';
import type { Directory } from '../identity/port.ts';
import { type DatabaseAndClock, scopeFor } from '../platform/tenancy/access.ts';
import * as users from '../user/store.ts';
import { removeFromTeam } from './team.ts';

/** Lets the user pool read and change the product’s users. */
export const openDirectory = ({ now }: Pick<DatabaseAndClock, 'now'>): Directory => ({
  findPerson: users.person,
  businessOf: users.businessOf,
  async leave(db, userId) {
    const accountId = await users.accountOf(db, userId);
    if (accountId === undefined) return;
    const scope = await scopeFor(db, accountId, { actor: userId, now: new Date(now()) });
    await removeFromTeam(scope, userId);
  },
  async revokeKeys(db, { userId, accountId }) {
    const scope = await scopeFor(db, accountId, { actor: userId, now: new Date(now()) });
    for (const { id, data } of await apiKeys.removeBy(scope, userId))
      await record(scope, 'api-key.revoked', { subject: id, data: { scopes: data.scopes } });
  },
  async changeEmail(db, { userId, accountId, email }) {
    const scope = await scopeFor(db, accountId, { actor: userId, now: new Date(now()) });
    if (!(await users.change(scope, userId, { emailAddress: email }))) return;
    await record(scope, 'user.email-changed', { subject: userId, data: {} });
  },
});
