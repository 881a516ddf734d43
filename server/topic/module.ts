import { batchSubscriber, type EventSubscriber } from '../event/relay.ts';
import type { Module } from '../module.ts';
import type { Platform } from '../platform/context.ts';
import { openMatchWork } from './match-job.ts';
import { openTopic } from './operations.ts';
import * as store from './store.ts';

/** Matches new and changed answers with the account's topics. */
const matchedAnswers: EventSubscriber = batchSubscriber(
  'answers about topics',
  ['feedback.submitted', 'feedback.amended', 'feedback.trusted', 'feedback.suspected', 'feedback.erased'],
  async (scope, events) => {
    const ids = events.map(({ subject }) => subject);
    const topics = await store.lockAll(scope);
    await store.unmatch(scope, ids);
    await store.match(scope, topics, { ids });
  },
  store.accountsWithTopics,
);

/** What visitors talk about (docs/decisions/0008-working-on-feedback.md). */
export const topic = ({ platform }: { readonly platform: Platform }) =>
  ({ handlers: { topic: openTopic(platform) }, subscribers: [matchedAnswers], work: openMatchWork(platform) }) satisfies Module;
