import { NOT_FOUND } from '#contract/schema.ts';
import type { userOperations } from '#contract/user.ts';
import type { Handlers } from '../kernel/dispatch.ts';
import * as store from './store.ts';

export const userHandlers = {
  async get({ scope }, { userId }) {
    const user = await store.byId(scope, userId);
    return user ? { status: 'ok', user } : NOT_FOUND;
  },
  async list({ scope }) {
    return { status: 'ok', users: await store.all(scope) };
  },
} satisfies Handlers<typeof userOperations>;
