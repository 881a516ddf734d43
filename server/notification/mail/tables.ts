import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { DELIVERY_CHANNELS, DELIVERY_STATUSES } from '#contract/notification/delivery.ts';
import { accounts } from '../../account/tables.ts';
import { users as people } from '../../identity/tables.ts';
import { bytes, moment } from '../../platform/database/columns.ts';
import { valueChecks } from '../../platform/database/value-checks.ts';

/**
 * Mails and pushes, without their content. The key is the id alone, because a mail of the user pool goes out before there is an
 * account. Row security: an account's admins, the job that works on this delivery, and the upkeep.
 */
export const deliveries = pgTable(
  'delivery',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').references(() => accounts.id, { onDelete: 'cascade' }),
    /** The person whose sign-in the mail is about, if it belongs to no account. */
    sub: uuid('sub').references(() => people.sub, { onDelete: 'cascade' }),
    channel: text('channel', { enum: DELIVERY_CHANNELS }).notNull(),
    to: text('to').notNull(),
    subject: text('subject').notNull(),
    /** The name of the event that it is about, such as `user.invited`. */
    reason: text('reason').notNull(),
    status: text('status', { enum: DELIVERY_STATUSES }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    created: moment('created').notNull(),
    sentAt: moment('sent_at'),
    /** The mail's name and its encrypted content, until it is sent or can no longer be retried. Only for an account's mails. */
    mail: text('mail'),
    sealed: bytes('sealed'),
    /** When an admin sent it again. */
    retried: moment('retried'),
    /** When the current attempt began. An attempt that a dead process left behind may have been sent. */
    taken: moment('taken'),
  },
  (table) => [
    index('delivery_of_account').on(table.accountId, table.created),
    index('delivery_of_person').on(table.sub).where(sql`sub is not null`),
    index('delivery_created').on(table.created),
    index('delivery_open').on(table.status, table.created).where(sql`status <> 'sent'`),
    ...valueChecks(table),
  ],
);

/** Each attempt at a delivery. */
export const deliveryAttempts = pgTable(
  'delivery_attempt',
  {
    deliveryId: text('delivery_id')
      .notNull()
      .references(() => deliveries.id, { onDelete: 'cascade' }),
    at: moment('at').notNull(),
    /** In our words; null for a success. */
    error: text('error'),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.at] }), ...valueChecks(table)],
);
