import { refusal } from '#contract/core/errors.ts';
import { savedReplyId } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { MOST_SAVED_REPLIES, replyNameTaken, type SavedReply, type savedReplyOperations } from '#contract/saved-reply/saved-reply.ts';
import * as accounts from '../account/store.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { refuseTaken } from '../platform/database/database.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import * as store from './store.ts';

export function openSavedReply({ random }: Pick<Platform, 'random'>) {
  return {
    async list({ scope }) {
      return { status: 'ok', replies: await store.all(scope) };
    },
    async save({ scope }, { payload: { id, data } }) {
      const reply = await refuseTaken(() => (id === undefined ? create(scope, data) : store.change(scope, id, data)), replyNameTaken);
      if (!reply) return NOT_FOUND;
      await record(scope, id === undefined ? 'saved-reply.created' : 'saved-reply.changed', { subject: reply.id, data: {} });
      return { status: 'ok', reply };
    },
    async delete({ scope }, { savedReplyId: id }) {
      if (!(await store.remove(scope, id))) return NOT_FOUND;
      await record(scope, 'saved-reply.deleted', { subject: id, data: {} });
      return { status: 'ok' };
    },
  } satisfies Handlers<typeof savedReplyOperations>;

  async function create(scope: AccountScope, data: Pick<SavedReply['data'], 'displayName' | 'text'>): Promise<SavedReply> {
    await accounts.lock(scope);
    if ((await store.countOf(scope)) >= MOST_SAVED_REPLIES)
      throw refusal('conflict', `You have ${MOST_SAVED_REPLIES} saved replies, which is the most. Delete one first.`);
    return store.insert(scope, { id: savedReplyId(random), ...data });
  }
}
