import { sql } from 'drizzle-orm';
import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { ALERT_RESULTS } from '#contract/notification/notification.ts';
import { feedback } from '../../feedback/tables.ts';
import { bytes, moment, sortableText } from '../../platform/database/columns.ts';
import { valueChecks } from '../../platform/database/value-checks.ts';
import { users } from '../../user/tables.ts';

/** Alerts: one row for each feedback item and person, so that no one is notified twice. */
export const alerts = pgTable(
  'alert',
  {
    accountId: text('account_id').notNull(),
    feedbackId: sortableText('feedback_id').notNull(),
    userId: text('user_id').notNull(),
    propertyId: text('property_id').notNull(),
    created: moment('created').notNull(),
    /** Why this person is notified: they are on the property's list, or no one opened the feedback. */
    reason: text('reason', { enum: ['listed', 'escalated'] }).notNull(),
    /** When to decide about it next: to notify, or to send what the visitor added. Null: nothing is left to do. */
    due: moment('due'),
    /** The reason it waits until then: quiet hours, or the digest of alerts beyond the hourly limit of mails. */
    waitsFor: text('held', { enum: ['quiet', 'hour'] }),
    /** When the person was first notified; after a visitor asks to be contacted, when they were first notified of that. */
    notified: moment('told'),
    /** When the visitor's request to be contacted was added. Null: there is none. */
    asked: moment('asked'),
    /** The visitor's message that it is about. Null: it is about the feedback. */
    messageId: text('message_id'),
    /** The mail about it. Null: it was in a digest, or in no mail. */
    deliveryId: text('delivery_id'),
    /** The mails about it before that one, which may be unsent. Null: there is none. */
    earlierDeliveryIds: text('earlier_delivery_ids').array(),
    /** The digest with it. */
    digestId: text('digest_id'),
    /** SHA-256 of the words and the contact in the mail. */
    contentHash: bytes('said'),
    /** Whether the person was notified, or why not. Null: nothing is decided yet. */
    result: text('result', { enum: ALERT_RESULTS }),
    /** The id of the teammate because of whom the person wasn't. */
    openedBy: text('opened_by'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.feedbackId, table.userId] }),
    index('alert_due').on(table.due).where(sql`due is not null`),
    index('alert_of_user').on(table.accountId, table.userId, table.due),
    index('alert_of_digest').on(table.accountId, table.digestId).where(sql`digest_id is not null`),
    index('alert_created').on(table.created),
    foreignKey({ columns: [table.accountId, table.feedbackId], foreignColumns: [feedback.accountId, feedback.id] }).onDelete('cascade'),
    foreignKey({ columns: [table.accountId, table.userId], foreignColumns: [users.accountId, users.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    ...valueChecks(table),
  ],
);

/** The mails that each person was sent recently. Locked during decisions, so that two processes never exceed the limit. */
export const alertRecipients = pgTable(
  'alert_recipient',
  {
    accountId: text('account_id').notNull(),
    userId: text('user_id').notNull(),
    /** When mails were sent to them in the last hour: UTC ms, in order. */
    recent: jsonb('recent').$type<number[]>().notNull().default([]),
    /** When the digest of alerts beyond the hourly limit is due, if there is one. */
    digest: moment('digest'),
    /** When the last such digest was sent. */
    digested: moment('digested'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.userId] }),
    foreignKey({ columns: [table.accountId, table.userId], foreignColumns: [users.accountId, users.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    ...valueChecks(table, { recent: 'array' }),
  ],
);

/** Links in mails with which a person assigns feedback to themselves, once. */
export const alertLinks = pgTable(
  'alert_link',
  {
    accountId: text('account_id').notNull(),
    /** SHA-256 of the key in the address. */
    hash: bytes('hash').notNull(),
    feedbackId: sortableText('feedback_id').notNull(),
    userId: text('user_id').notNull(),
    expires: moment('until').notNull(),
    used: moment('used'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.hash] }),
    index('alert_link_until').on(table.expires),
    index('alert_link_of').on(table.accountId, table.feedbackId, table.userId),
    foreignKey({
      columns: [table.accountId, table.feedbackId, table.userId],
      foreignColumns: [alerts.accountId, alerts.feedbackId, alerts.userId],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
    ...valueChecks(table),
  ],
);

/** Feedback that goes to the next person in the escalation order unless someone opens it. */
export const escalations = pgTable(
  'alert_escalation',
  {
    accountId: text('account_id').notNull(),
    feedbackId: sortableText('feedback_id').notNull(),
    propertyId: text('property_id').notNull(),
    /** The index of the next person in the property's order. */
    step: integer('step').notNull(),
    due: moment('due').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.feedbackId] }),
    index('alert_escalation_due').on(table.due),
    foreignKey({ columns: [table.accountId, table.feedbackId], foreignColumns: [feedback.accountId, feedback.id] }).onDelete('cascade'),
    ...valueChecks(table),
  ],
);
