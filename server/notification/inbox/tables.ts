import { sql } from 'drizzle-orm';
import { foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { NOTICE_KINDS } from '#contract/notification/notification.ts';
import { feedback } from '../../feedback/tables.ts';
import { moment, sortableText } from '../../platform/database/columns.ts';
import { valueChecks } from '../../platform/database/value-checks.ts';
import { users } from '../../user/tables.ts';

/** Notifications: one row for each person and cause, so that no one is notified twice. */
export const notifications = pgTable(
  'notification',
  {
    accountId: text('account_id').notNull(),
    id: sortableText('id').notNull(),
    userId: text('user_id').notNull(),
    kind: text('kind', { enum: NOTICE_KINDS }).notNull(),
    /** The id of the feedback, comment or event that it follows from. */
    cause: text('cause').notNull(),
    feedbackId: sortableText('feedback_id'),
    webhookId: text('webhook_id'),
    /** The placement's id. */
    kioskId: text('kiosk_id'),
    /** The teammate who caused it. */
    by: text('by'),
    count: integer('count'),
    created: moment('created').notNull(),
    read: moment('read'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex('notification_cause').on(table.accountId, table.userId, table.kind, table.cause),
    index('notification_of_user').on(table.accountId, table.userId, table.created, table.id),
    index('notification_unread').on(table.accountId, table.userId, table.created, table.id).where(sql`read is null`),
    index('notification_created').on(table.created),
    // For feedback that is deleted permanently.
    index('notification_of_feedback').on(table.accountId, table.feedbackId),
    foreignKey({ columns: [table.accountId, table.feedbackId], foreignColumns: [feedback.accountId, feedback.id] }).onDelete('cascade'),
    foreignKey({ columns: [table.accountId, table.userId], foreignColumns: [users.accountId, users.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    ...valueChecks(table),
  ],
);
