import { refusal } from '#contract/core/errors.ts';
import { tagId } from '#contract/core/ids.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { MOST_ACCOUNT_TAGS, type Tag, type tagOperations, tagTaken } from '#contract/tag/tag.ts';
import * as accounts from '../account/store.ts';
import { record } from '../event/store.ts';
import type { Platform } from '../platform/context.ts';
import { refuseTaken } from '../platform/database/database.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import * as store from './store.ts';

export function openTag({ random }: Pick<Platform, 'random'>) {
  return {
    async list({ scope }) {
      return { status: 'ok', tags: await store.all(scope) };
    },
    async save({ scope }, { payload: { id, data } }) {
      const tag = await refuseTaken(
        () => (id === undefined ? create(scope, data.displayName) : store.rename(scope, id, data.displayName)),
        tagTaken,
      );
      if (!tag) return NOT_FOUND;
      await record(scope, id === undefined ? 'tag.created' : 'tag.renamed', { subject: tag.id, data: {} });
      return { status: 'ok', tag };
    },
    async delete({ scope }, { tagId: id }) {
      if (!(await store.remove(scope, id))) return NOT_FOUND;
      await record(scope, 'tag.deleted', { subject: id, data: {} });
      return { status: 'ok' };
    },
  } satisfies Handlers<typeof tagOperations>;

  async function create(scope: AccountScope, displayName: string): Promise<Tag> {
    await accounts.lock(scope);
    if ((await store.countOf(scope)) >= MOST_ACCOUNT_TAGS)
      throw refusal('conflict', `You have ${MOST_ACCOUNT_TAGS} tags, which is the most. Delete one first.`);
    return store.insert(scope, { id: tagId(random), displayName });
  }
}
