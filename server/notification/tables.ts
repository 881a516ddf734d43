import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { DELIVERY_CHANNELS, DELIVERY_STATUSES } from '#contract/notification/delivery.ts';
import { NOTICE_KINDS } from '#contract/notification/notification.ts';
import { accounts } from '../account/tables.ts';
import { feedback } from '../feedback/tables.ts';
import { users as people } from '../identity/tables.ts';
import { bytes, moment, sortableText } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';
import { users } from '../user/tables.ts';

/**
 * Mails and pushes, without what they say. The key is the id alone, because a mail of the user pool goes out before there is an
 * account. Row security: an account's admins, the job that works on this very delivery, and the upkeep.
 */
export const deliveries = pgTable(
  'delivery',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').references(() => accounts.id, { onDelete: 'cascade' }),
    /** The person whose sign-in it is about, where it is of no account. */
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
    /** The name of the mail, and what it says, sealed: until it is sent, or can no longer be sent again. Of an account's mails only. */
    mail: text('mail'),
    sealed: bytes('sealed'),
    /** When somebody sent it again. */
    retried: moment('retried'),
    /** Since when a try is under way. What is left of a process that died at one may have been sent. */
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

/** Each try of a delivery. */
export const deliveryAttempts = pgTable(
  'delivery_attempt',
  {
    deliveryId: text('delivery_id')
      .notNull()
      .references(() => deliveries.id, { onDelete: 'cascade' }),
    at: moment('at').notNull(),
    /** In our words; nothing where it worked. */
    error: text('error'),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.at] }), ...valueChecks(table)],
);

/** What people were told, behind the bell: a row a person and cause, so that nobody is told twice. */
export const notifications = pgTable(
  'notification',
  {
    accountId: text('account_id').notNull(),
    id: sortableText('id').notNull(),
    userId: text('user_id').notNull(),
    kind: text('kind', { enum: NOTICE_KINDS }).notNull(),
    /** The feedback, the comment or the event that it follows from. */
    cause: text('cause').notNull(),
    feedbackId: sortableText('feedback_id'),
    webhookId: text('webhook_id'),
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
    index('notification_unread').on(table.accountId, table.userId).where(sql`read is null`),
    index('notification_created').on(table.created),
    // Of feedback that is deleted for good.
    index('notification_of_feedback').on(table.accountId, table.feedbackId),
    foreignKey({ columns: [table.accountId, table.feedbackId], foreignColumns: [feedback.accountId, feedback.id] }).onDelete('cascade'),
    foreignKey({ columns: [table.accountId, table.userId], foreignColumns: [users.accountId, users.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    ...valueChecks(table),
  ],
);

/** Browsers that show what a person is told. */
export const devices = pgTable(
  'push_device',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    userId: text('user_id').notNull(),
    /** The sign-in that subscribed it: with that it ends. */
    session: text('session').notNull(),
    /** SHA-256 of its address at the push service: a browser belongs to one person. */
    hash: bytes('hash').notNull(),
    /** Its address and keys, sealed. */
    sealed: bytes('sealed').notNull(),
    /** "Chrome on Android". */
    label: text('label').notNull(),
    /** Whether it shows visitors' words. */
    showsWords: boolean('shows_words').notNull(),
    created: moment('created').notNull(),
    /** When a push service last took something for it. */
    delivered: moment('delivered'),
    /** Since when it took nothing. */
    failingSince: moment('failing_since'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex('push_device_hash').on(table.hash),
    index('push_device_of_user').on(table.accountId, table.userId, table.created),
    index('push_device_session').on(table.session),
    foreignKey({ columns: [table.accountId, table.userId], foreignColumns: [users.accountId, users.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    ...valueChecks(table),
  ],
);

/** The installation's keys at push services (VAPID), sealed: a pair for each secret that it ever had. */
export const pushKeys = pgTable(
  'push_key',
  {
    /** Which secret it is sealed with. */
    secret: text('secret').primaryKey(),
    /** Base64url, as browsers take it. */
    publicKey: text('public_key').notNull(),
    sealed: bytes('sealed').notNull(),
  },
  (table) => valueChecks(table),
);
