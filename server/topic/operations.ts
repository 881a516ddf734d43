import { refusal } from '#contract/core/errors.ts';
import { topicId } from '#contract/core/ids.ts';
import type { Input } from '#contract/core/operation.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { MOST_RESULTS } from '#contract/feedback/filters.ts';
import { NO_RATINGS } from '#contract/feedback/tally.ts';
import { presetTopics } from '#contract/topic/matching.ts';
import {
  type FeedbackTopic,
  hasTopics,
  MOST_EXAMPLES,
  MOST_PHRASES,
  MOST_TOPICS,
  tooManyPhrases,
  tooManyTopics,
  type topicOperations,
  topicTaken,
} from '#contract/topic/topic.ts';
import * as accounts from '../account/store.ts';
import { record } from '../event/store.ts';
import * as feedback from '../feedback/store.ts';
import * as forms from '../form/store.ts';
import type { Platform } from '../platform/context.ts';
import { refuseTaken } from '../platform/database/database.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import type { Handlers } from '../platform/tenancy/dispatch.ts';
import { openTurns } from '../platform/tenancy/fair-queue.ts';
import * as properties from '../property/store.ts';
import * as store from './store.ts';

export function openTopic({ random, jobs }: Pick<Platform, 'random' | 'jobs'>) {
  const turns = openTurns();
  return {
    async list({ scope }) {
      return { status: 'ok', topics: await store.all(scope) };
    },
    async counts({ scope }, query) {
      if (query.propertyId !== undefined && !(await properties.byId(scope, query.propertyId))) return NOT_FOUND;
      return turns.run(scope.accountId, async () => ({ status: 'ok', counts: await countEach(scope, query) }));
    },
    async examples({ scope }, { topicId: id, propertyId, from, to }) {
      if (!(await store.byId(scope, id))) return NOT_FOUND;
      if (propertyId !== undefined && !(await properties.byId(scope, propertyId))) return NOT_FOUND;
      return { status: 'ok', feedback: await feedback.some(scope, await store.newest(scope, id, { propertyId, from, to }, MOST_EXAMPLES)) };
    },
    async preview({ scope }, { phrases }) {
      return turns.run(scope.accountId, async () => {
        const ids = await store.matchingPhrases(scope, phrases, MOST_RESULTS + 1);
        const newest = ids.length > MOST_RESULTS ? await store.newestMatchingPhrases(scope, phrases, MOST_EXAMPLES) : [];
        const examples = [...new Set([...newest, ...ids])].slice(0, MOST_EXAMPLES);
        return { status: 'ok', count: ids.length, feedback: await feedback.some(scope, examples) };
      });
    },
    async setUp({ scope }, { businessType }) {
      await accounts.lock(scope);
      if ((await store.countOf(scope)) > 0) throw hasTopics();
      const languages = [...new Set([...(await forms.languagesOf(scope)), ...(await feedback.languagesOf(scope))])];
      const topics: FeedbackTopic[] = [];
      for (const each of presetTopics(businessType, languages)) topics.push(await refuseTaken(() => create(scope, each), hasTopics));
      return { status: 'ok', topics };
    },
    async save({ scope }, { payload }) {
      if (payload.id === undefined) {
        await accounts.lock(scope);
        if ((await store.countOf(scope)) >= MOST_TOPICS) throw tooManyTopics();
        const { data } = payload;
        return { status: 'ok', topic: await refuseTaken(() => create(scope, data), topicTaken) };
      }
      const { id, data } = payload;
      const topic = await refuseTaken(() => store.change(scope, id, data), topicTaken);
      if (!topic) return NOT_FOUND;
      if (data.phrases) await queue(scope, id);
      await record(scope, 'topic.changed', { subject: id, data: {} });
      return { status: 'ok', topic };
    },
    async merge({ scope }, { topicId: id, otherTopicId }) {
      const [from, into] = [await store.byId(scope, id), await store.byId(scope, otherTopicId)];
      if (!from || !into) return NOT_FOUND;
      const phrases = [...new Set([...into.data.phrases, ...from.data.phrases])];
      if (phrases.length > MOST_PHRASES) throw tooManyPhrases();
      await removeTopic(scope, id);
      const topic = await store.change(scope, otherTopicId, { phrases });
      if (!topic) throw refusal('conflict');
      await queue(scope, otherTopicId);
      await record(scope, 'topic.changed', { subject: otherTopicId, data: {} });
      return { status: 'ok', topic };
    },
    async delete({ scope }, { topicId: id }) {
      return (await removeTopic(scope, id)) ? { status: 'ok' } : NOT_FOUND;
    },
  } satisfies Handlers<typeof topicOperations>;

  async function create(scope: AccountScope, { displayName, phrases }: { displayName: string; phrases: string[] }): Promise<FeedbackTopic> {
    const topic = await store.insert(scope, { id: topicId(random), displayName, phrases });
    await queue(scope, topic.id);
    await record(scope, 'topic.created', { subject: topic.id, data: {} });
    return topic;
  }

  /** Deletes a topic, and queues the deletion of its matches. */
  async function removeTopic(scope: AccountScope, id: string): Promise<boolean> {
    if (!(await store.remove(scope, id))) return false;
    await queue(scope, id);
    await record(scope, 'topic.deleted', { subject: id, data: {} });
    return true;
  }

  function queue({ accountId, db }: AccountScope, id: string): Promise<void> {
    return jobs.queue(db, 'topic.match', { accountId, topicId: id });
  }
}

/** Counts each topic's answers by rating from a time to another, and from `before` to that time. */
async function countEach(scope: AccountScope, { propertyId, from, to, before }: Input<typeof topicOperations.counts>) {
  const ratings = await store.countsOf(scope, { propertyId, from, to });
  const previous = before === undefined ? undefined : await store.countsOf(scope, { propertyId, from: before, to: from });
  return (await store.all(scope)).map(({ id }) => ({
    topicId: id,
    ratings: ratings.get(id) ?? NO_RATINGS,
    ...(previous && { before: previous.get(id) ?? NO_RATINGS }),
  }));
}
