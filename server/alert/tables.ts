import { sql } from 'drizzle-orm';
import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { feedback } from '../feedback/tables.ts';
import { bytes, moment, sortableText } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';
import { users } from '../user/tables.ts';

/** Who has to hear of which feedback: a row a person, so that nobody hears of it twice. */
export const alerts = pgTable(
  'alert',
  {
    accountId: text('account_id').notNull(),
    feedbackId: sortableText('feedback_id').notNull(),
    userId: text('user_id').notNull(),
    propertyId: text('property_id').notNull(),
    created: moment('created').notNull(),
    /** Why they hear: they are on the property's list, or nobody opened it. */
    reason: text('reason', { enum: ['listed', 'escalated'] }).notNull(),
    /** When it is looked at next: to tell it, or to tell what the visitor added. Null: nothing is left to do. */
    due: moment('due'),
    /** What it waits for until then: the end of quiet hours, or of the person's hour. */
    held: text('held', { enum: ['quiet', 'hour'] }),
    /** When it was told first: since the visitor asked to be contacted, where they did. */
    told: moment('told'),
    /** When the visitor's wish to be contacted was added. Null: there is none. */
    asked: moment('asked'),
    /** The mail that told it. Null: it stood in a digest, or was not told. */
    deliveryId: text('delivery_id'),
    /** SHA-256 of the words and the contact that were told. */
    said: bytes('said'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.feedbackId, table.userId] }),
    index('alert_due').on(table.due).where(sql`due is not null`),
    index('alert_of_user').on(table.accountId, table.userId, table.due),
    index('alert_created').on(table.created),
    foreignKey({ columns: [table.accountId, table.feedbackId], foreignColumns: [feedback.accountId, feedback.id] }).onDelete('cascade'),
    foreignKey({ columns: [table.accountId, table.userId], foreignColumns: [users.accountId, users.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    ...valueChecks(table),
  ],
);

/** What a person was sent of late. Held while mails to them are decided on, so that two processes never send one too many. */
export const alertRecipients = pgTable(
  'alert_recipient',
  {
    accountId: text('account_id').notNull(),
    userId: text('user_id').notNull(),
    /** When mails went to them, of the last hour: UTC ms, in order. */
    recent: jsonb('recent').$type<number[]>().notNull().default([]),
    /** When the digest of what is beyond the hour's mails goes out, where there is some. */
    digest: moment('digest'),
    /** When the last such digest did. */
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

/** Links in mails by which a person takes feedback on, once. */
export const alertLinks = pgTable(
  'alert_link',
  {
    accountId: text('account_id').notNull(),
    /** SHA-256 of the key in the address. */
    hash: bytes('hash').notNull(),
    feedbackId: sortableText('feedback_id').notNull(),
    userId: text('user_id').notNull(),
    until: moment('until').notNull(),
    used: moment('used'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.hash] }),
    index('alert_link_until').on(table.until),
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

/** Feedback that the next person hears of unless somebody opens it. */
export const escalations = pgTable(
  'alert_escalation',
  {
    accountId: text('account_id').notNull(),
    feedbackId: sortableText('feedback_id').notNull(),
    propertyId: text('property_id').notNull(),
    /** The place of the next person in the property's order, from 0. */
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
