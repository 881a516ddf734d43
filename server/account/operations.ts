import type { accountOperations } from '#contract/account/account.ts';
import { badField } from '#contract/core/errors.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR } from '#contract/core/time.ts';
import { type Billing, choosePlan, startTrial } from '../billing/billing.ts';
import { record } from '../event/store.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as store from './store.ts';

interface AccountRoom {
  readonly billing: Billing;
}

type AccountRoomActions = 'get' | 'save' | 'choosePlan' | 'startTrial' | 'notify';

export function openAccount({ billing }: AccountRoom) {
  return {
    async get({ scope }) {
      return read(scope);
    },
    async save({ scope }, { payload: { id, data } }) {
      const previous = id === scope.accountId ? await store.byScope(scope) : undefined;
      if (!previous || !(await store.rename(scope, data.displayName))) return NOT_FOUND;
      const [from, to] = [previous.displayName, data.displayName];
      if (from !== to) await record(scope, 'account.renamed', { subject: id, data: { from, to } });
      return read(scope);
    },
    async choosePlan({ scope }, choice) {
      await choosePlan(scope, choice);
      return read(scope);
    },
    async startTrial({ scope }) {
      await startTrial(scope);
      return read(scope);
    },
    async notify({ scope, person }, { payload, ignore, debug }) {
      if (payload.id !== scope.accountId) return NOT_FOUND;
      if (ignore.emailAddress !== person.emailAddress) throw badField('ignore.emailAddress', 'This must be your own address');
      await countWithin(scope, ANNOUNCEMENTS, person.userId);
      await record(scope, 'account.welcome-requested', { subject: payload.id, data: { debug } });
      return { status: 'ok' };
    },
  } satisfies Pick<Handlers<typeof accountOperations>, AccountRoomActions>;

  async function read(scope: AccountScope) {
    const stored = await store.byScope(scope);
    return stored ? ({ status: 'ok', account: store.wireAccount(stored, { billing, now: scope.now }) } as const) : NOT_FOUND;
  }
}

/** Mails that a person requests to their own address. @limit announcements */
const ANNOUNCEMENTS = { name: 'announcements', most: 5, within: HOUR };
