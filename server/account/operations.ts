import type { accountOperations } from '#contract/account.ts';
import { NOT_FOUND } from '#contract/schema.ts';
import type { Handlers } from '../kernel/dispatch.ts';
import * as store from './store.ts';

export const accountHandlers = {
  async get({ scope }) {
    const account = await store.current(scope);
    return account ? { status: 'ok', account } : NOT_FOUND;
  },
  async save({ scope }, { payload }) {
    if (payload.id !== scope.accountId) return NOT_FOUND;
    const account = await store.rename(scope, payload.data.displayName);
    return account ? { status: 'ok', account } : NOT_FOUND;
  },
} satisfies Handlers<typeof accountOperations>;
