import { SYSTEM } from '#contract/event/event.ts';
import { inBatches } from '../platform/database/batches.ts';
import type { Work } from '../platform/jobs/jobs.ts';
import { type DatabaseAndClock, inAccount } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

/** Answers that one transaction matches. */
const AT_ONCE = 2_000;

/**
 * Returns the job that finds the answers about a new or changed topic, and deletes the matches of a deleted one. If the topic changes
 * meanwhile, that queued another job, and this one ends.
 */
export const openMatchWork = (platform: DatabaseAndClock): Work => ({
  async 'topic.match'({ data: { accountId, topicId }, signal }) {
    const inScope = <T>(work: Parameters<typeof inAccount<T>>[2]): Promise<T> => inAccount(platform, { accountId, actor: SYSTEM }, work);
    await inBatches(() => inScope((scope) => store.forget(scope, topicId)));
    const topic = await inScope((scope) => store.rowOf(scope, topicId));
    if (!topic || topic.matched) return;
    const ids = await inScope((scope) => store.matching(scope, topic.query));
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      signal.throwIfAborted();
      const isCurrent = await inScope(async (scope) => {
        const current = (await store.lockAll(scope)).filter(({ id, query }) => id === topicId && query === topic.query);
        await store.match(scope, current, ids.slice(from, from + AT_ONCE));
        return current.length > 0;
      });
      if (!isCurrent) return;
    }
    await inScope((scope) => store.markMatched(scope, topic));
  },
});
