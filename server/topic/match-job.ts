import { SYSTEM } from '#contract/event/event.ts';
import type { Work } from '../platform/jobs/jobs.ts';
import { type DatabaseAndClock, inAccount } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

/** Answers that one transaction matches. Few, because the relay waits for its lock, and other accounts for the relay. */
const AT_ONCE = 200;

/**
 * Returns the job that finds the answers about a new or changed topic, and deletes the matches of a deleted one. It may run twice, or at
 * the same time as another job of the topic. If the topic changes while it runs, it ends: that change queued another job.
 */
export const openMatchWork = (platform: DatabaseAndClock): Work => ({
  async 'topic.match'({ data: { accountId, topicId }, signal }) {
    const inScope = <T>(work: Parameters<typeof inAccount<T>>[2]): Promise<T> => inAccount(platform, { accountId, actor: SYSTEM }, work);
    const topic = await inScope((scope) => store.rowOf(scope, topicId));
    if (topic?.matched) return;
    const matched = await inScope((scope) => store.matchedIds(scope, topicId));
    const matching = topic ? await inScope((scope) => store.matching(scope, topic.query)) : [];
    // A run that was cut off is continued.
    const reached = topic?.reached;
    const ids = [...new Set([...matched, ...matching])]
      .filter((id) => !reached || id < reached)
      .sort()
      .toReversed();
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      signal.throwIfAborted();
      const batch = ids.slice(from, from + AT_ONCE);
      const isCurrent = await inScope(async (scope) => {
        const current = (await store.lockAll(scope)).find(({ id }) => id === topicId);
        if (current?.query !== topic?.query) return false;
        await store.unmatch(scope, batch, topicId);
        if (!current) return true;
        await store.match(scope, [current], batch);
        await store.reach(scope, topicId, batch.at(-1));
        return true;
      });
      if (!isCurrent) return;
    }
    if (topic) await inScope((scope) => store.markMatched(scope, topic));
  },
});
