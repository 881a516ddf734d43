import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { DeliveryStatus } from '#contract/mail.ts';
import { accounts } from '../account/tables.ts';
import { moment } from '../kernel/columns.ts';

/**
 * Mails, without what they say. The key is the id alone, because a mail of the user pool goes out before there is an
 * account. Row security: an account's admins, the job that works on this very delivery, and the upkeep.
 */
export const deliveries = pgTable(
  'delivery',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').references(() => accounts.id, { onDelete: 'cascade' }),
    channel: text('channel', { enum: ['email'] }).notNull(),
    to: text('to').notNull(),
    subject: text('subject').notNull(),
    /** The name of the event that it is about, such as `user.invited`. */
    reason: text('reason').notNull(),
    status: text('status').$type<DeliveryStatus>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    created: moment('created').notNull(),
    sentAt: moment('sent_at'),
  },
  (table) => [index('delivery_of_account').on(table.accountId, table.created), index('delivery_created').on(table.created)],
);
