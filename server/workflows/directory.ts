import { record } from '../event/store.ts';
import type { Directory } from '../identity/port.ts';
import { type Clocked, scopeFor } from '../kernel/access.ts';
import * as users from '../user/store.ts';

/** The port by which the user pool reads and changes the product’s list of users. */
export const openDirectory = ({ now }: Pick<Clocked, 'now'>): Directory => ({
  findPerson: users.person,
  async changeEmail(db, { userId, accountId, email }) {
    const scope = await scopeFor(db, accountId, { actor: userId, now: new Date(now()) });
    if (!(await users.change(scope, userId, { emailAddress: email }))) return;
    await record(scope, 'user.email-changed', { subject: userId, data: {} });
  },
});
