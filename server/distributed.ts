import * as comments from './comment/store.ts';
import * as conversations from './conversation/store.ts';
import * as feedback from './feedback/store.ts';
import * as topics from './topic/store.ts';

/** The names of the tables that a Citus cluster distributes by account, those that others refer to first. */
export const DISTRIBUTED = [...feedback.DISTRIBUTED, ...comments.DISTRIBUTED, ...conversations.DISTRIBUTED, ...topics.DISTRIBUTED];
