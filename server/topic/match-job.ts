import { SYSTEM } from '#contract/event/event.ts';
import { inTurns } from '../platform/database/batches.ts';
import type { Work } from '../platform/jobs/jobs.ts';
import { type DatabaseAndClock, inAccount } from '../platform/tenancy/access.ts';
import * as store from './store.ts';

/** Answers that one transaction matches. Few, because the relay waits for its lock, and other accounts for the relay. @limit topics */
const AT_ONCE = 500;

/**
 * Returns the job that finds the answers about a new or changed topic, or deletes the matches of a deleted one. Any run continues where
 * the last one ended, and starts over if the topic has changed.
 */
export const openMatchWork = (platform: DatabaseAndClock): Work => ({
  async 'topic.match'({ data: { accountId, topicId }, signal }) {
    await inTurns(signal, () =>
      inAccount(platform, { accountId, actor: SYSTEM }, async (scope) => {
        const topic = (await store.lockAll(scope)).find(({ id }) => id === topicId);
        return topic ? store.matchNext(scope, topic, AT_ONCE) : store.unmatchNext(scope, topicId, AT_ONCE);
      }),
    );
  },
});
