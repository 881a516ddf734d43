import { getTableName, sql } from 'drizzle-orm';
import { foreignKey, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { MAX_TEXT } from '#contract/feedback/rating.ts';
import { feedback } from '../feedback/tables.ts';
import { moment, sortableText } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/** Teammates' comments on feedback. A deleted comment's row stays for a day, so that it can be restored. */
export const comments = pgTable(
  'comment',
  {
    accountId: text('account_id').notNull(),
    id: sortableText('id').notNull(),
    feedbackId: sortableText('feedback_id').notNull(),
    propertyId: text('property_id').notNull(),
    created: moment('created').notNull(),
    createdBy: text('created_by').notNull(),
    text: text('text').notNull(),
    edited: moment('edited'),
    /** Everyone it ever mentioned except its author, so that each is notified once. */
    mentioned: text('mentioned').array().notNull(),
    /** Idempotency key from the page. */
    key: text('key').notNull(),
    deleted: moment('deleted'),
    deletedBy: text('deleted_by'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex('comment_key').on(table.accountId, table.createdBy, table.key),
    index('comment_of_feedback').on(table.accountId, table.feedbackId, table.created, table.id),
    index('comment_deleted').on(table.deleted).where(sql`deleted is not null`),
    foreignKey({ columns: [table.accountId, table.feedbackId], foreignColumns: [feedback.accountId, feedback.id] }).onDelete('cascade'),
    ...valueChecks(table, { text: MAX_TEXT }),
  ],
);

/** The names of the tables that a cluster distributes by account. */
export const DISTRIBUTED = [getTableName(comments)];
