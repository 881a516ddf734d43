import { getTableName, sql } from 'drizzle-orm';
import { boolean, foreignKey, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { MAX_TEXT } from '#contract/feedback/rating.ts';
import { feedback } from '../feedback/tables.ts';
import { bytes, moment, sortableText } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/** Private conversations with visitors, at most one for each feedback item. */
export const conversations = pgTable(
  'conversation',
  {
    accountId: text('account_id').notNull(),
    feedbackId: sortableText('feedback_id').notNull(),
    /** The last message, or the start: the visitor's links expire some time after it. */
    active: moment('active').notNull(),
    /** When the visitor last saw a new message of the team, or wrote. */
    seen: moment('seen'),
    closed: moment('closed'),
    closedBy: text('closed_by'),
    reported: moment('reported'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.feedbackId] }),
    foreignKey({ columns: [table.accountId, table.feedbackId], foreignColumns: [feedback.accountId, feedback.id] }).onDelete('cascade'),
    ...valueChecks(table),
  ],
);

/** The keys in a visitor's links. Each opens one conversation. */
export const conversationKeys = pgTable(
  'conversation_key',
  {
    accountId: text('account_id').notNull(),
    /** SHA-256 of the key. */
    hash: bytes('hash').notNull(),
    feedbackId: sortableText('feedback_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.hash] }),
    index('conversation_key_of').on(table.accountId, table.feedbackId),
    foreignKey({
      name: 'conversation_key_conversation_fk',
      columns: [table.accountId, table.feedbackId],
      foreignColumns: [conversations.accountId, conversations.feedbackId],
    }).onDelete('cascade'),
    ...valueChecks(table),
  ],
);

export const conversationMessages = pgTable(
  'conversation_message',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    feedbackId: sortableText('feedback_id').notNull(),
    /** A teammate's id; null for the visitor. */
    author: text('author'),
    text: text('text').notNull(),
    sent: moment('sent').notNull(),
    /** Idempotency key from the page. */
    key: text('key').notNull(),
    /** The mail with an answer. Null: it was only on the page. */
    deliveryId: text('delivery_id'),
    /** That mail bounced. */
    undelivered: boolean('undelivered').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex('conversation_message_key').on(table.accountId, table.feedbackId, table.key),
    index('conversation_message_of').on(table.accountId, table.feedbackId, table.sent, table.id),
    index('conversation_message_delivery').on(table.accountId, table.deliveryId).where(sql`delivery_id is not null`),
    foreignKey({
      name: 'conversation_message_conversation_fk',
      columns: [table.accountId, table.feedbackId],
      foreignColumns: [conversations.accountId, conversations.feedbackId],
    }).onDelete('cascade'),
    ...valueChecks(table, { text: MAX_TEXT }),
  ],
);

/** The names of the tables that a cluster distributes by account. */
export const DISTRIBUTED = [conversations, conversationKeys, conversationMessages].map(getTableName);
