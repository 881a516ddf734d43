import { getTableName, sql } from 'drizzle-orm';
import { boolean, foreignKey, index, pgTable, primaryKey, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Rating } from '#contract/feedback/rating.ts';
import { LONGEST_TOPIC } from '#contract/topic/topic.ts';
import { accounts } from '../account/tables.ts';
import { feedback } from '../feedback/tables.ts';
import { moment, sortableText } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/** What visitors talk about, in the team's words. */
export const topics = pgTable(
  'topic',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    displayName: text('display_name').notNull(),
    phrases: text('phrases').array().notNull(),
    /** The phrases as a text query, for the word index. Empty without phrases. */
    query: text('query').notNull(),
    isHidden: boolean('is_hidden').notNull().default(false),
    created: moment('created').notNull(),
    /** When all answers about it were last found; null while they aren't. */
    matched: moment('matched'),
    /** The oldest answer that was looked at while all are looked for, from the newest on. */
    reached: sortableText('reached'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex('topic_name').on(table.accountId, sql`lower(${table.displayName})`),
    ...valueChecks(table, { displayName: LONGEST_TOPIC, query: 200_000 }),
  ],
);

/** The answers about each topic. An index has every column in the order of time, so that counting a period reads nothing else. */
export const topicMatches = pgTable(
  'topic_match',
  {
    accountId: text('account_id').notNull(),
    topicId: text('topic_id').notNull(),
    feedbackId: sortableText('feedback_id').notNull(),
    propertyId: text('property_id').notNull(),
    rating: smallint('rating').$type<Rating>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.topicId, table.feedbackId] }),
    index('topic_match_counted').on(table.accountId, table.feedbackId, table.topicId, table.propertyId, table.rating),
    foreignKey({ columns: [table.accountId, table.feedbackId], foreignColumns: [feedback.accountId, feedback.id] }).onDelete('cascade'),
    ...valueChecks(table, { rating: [1, 5] }),
  ],
);

/** The names of the tables that a cluster distributes by account. */
export const DISTRIBUTED = [topicMatches].map(getTableName);
