import type { AuditEntry, accountOperations } from '#contract/account/account.ts';
import { events, type RecordedEvent } from '#contract/events.ts';
import type { userOperations } from '#contract/user/user.ts';
import { wireAccount } from '../account/store.ts';
import type { Billing } from '../billing/billing.ts';
import { ofInstallation, recordForInstallation } from '../event/store.ts';
import type { Audit, Handlers } from '../platform/tenancy/dispatch.ts';
import * as store from './operator-store.ts';

/** Operations that list all accounts, all people and operators' actions. The dispatcher records each call. */
export function openOperator({ billing }: { readonly billing: Billing }) {
  return {
    account: {
      async list({ scope }, query) {
        const { accounts, cursor } = await store.listAccounts(scope, query);
        const wireAccounts = accounts.map((each) => ({ ...each, account: wireAccount(each.account, { billing, now: scope.now }) }));
        return { status: 'ok', accounts: wireAccounts, cursor };
      },
      async auditLog({ scope }, query) {
        const { entries, cursor } = await ofInstallation(scope, query);
        return { status: 'ok', entries: entries.map(entryOf), cursor };
      },
    } satisfies Pick<Handlers<typeof accountOperations>, 'list' | 'auditLog'>,
    user: {
      async masterList({ scope }, query) {
        return { status: 'ok', ...(await store.listUsers(scope, query)) };
      },
    } satisfies Pick<Handlers<typeof userOperations>, 'masterList'>,
  };
}

/** Records an operator's action, with the input's fields that the event declares. */
export const audit: Audit = async (scope, name, input) => {
  const sent = input as Readonly<Record<string, unknown>>;
  // Every event's data is an object.
  const fields = Object.keys((events[name].data as unknown as { entries: object }).entries);
  const data = Object.fromEntries(fields.flatMap((field) => (sent[field] === undefined ? [] : [[field, sent[field]]])));
  await recordForInstallation(scope, name, { subject: String(sent['userId'] ?? sent['accountId'] ?? ''), data: data as never });
};

/** Returns an event as an entry of the audit log, whose `detail` is the first value of its data. */
const entryOf = ({ id, at, name: act, actor: by, subject, data }: RecordedEvent): AuditEntry => {
  const [detail = ''] = Object.values(data);
  return { id: String(id), at, by, act, subject, detail: String(detail) };
};
