import { sql } from 'drizzle-orm';
import { boolean, jsonb, pgTable, primaryKey, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { AlertSettings } from '#contract/alert/alert.ts';
import { LONGEST_STORED_NAME, MAX_EMAIL } from '#contract/core/schema.ts';
import type { RequestSettings } from '#contract/feedback-request/request-settings.ts';
import type { ReviewLink } from '#contract/form/review.ts';
import { LONGEST_RETENTION } from '#contract/privacy/privacy.ts';
import { accounts } from '../account/tables.ts';
import { bytes, moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/** Places. The row of a deleted property stays, so that its data can be found and deleted. */
export const properties = pgTable(
  'property',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    created: moment('created').notNull(),
    author: text('author').notNull(),
    displayName: text('display_name').notNull(),
    service: jsonb('service').$type<ReviewLink[]>().notNull(),
    formId: text('form_id').notNull(),
    complaints: text('complaints').array().notNull(),
    weekly: text('weekly').array().notNull(),
    daily: text('daily').array().notNull().default(sql`'{}'`),
    monthly: text('monthly').array().notNull().default(sql`'{}'`),
    /** A zone of the tz database, or null if no one chose one. */
    timeZone: text('time_zone'),
    /** Quiet hours and escalation of urgent feedback. Null: alerts are sent immediately, without escalation. */
    alerts: jsonb('alerts').$type<AlertSettings>(),
    /** How many months words and contact details are kept. Null: until someone deletes them. */
    retention: smallint('retention'),
    /** Answers from before this moment were erased. */
    erasedUntil: moment('erased_until'),
    /** The address at which visitors can ask about their data. */
    privacyContact: text('privacy_contact'),
    /** Whether visitors can ask for a private answer. */
    privateReplies: boolean('private_replies').notNull().default(true),
    /** When feedback requests are sent. Null: the defaults. */
    requests: jsonb('requests').$type<RequestSettings>(),
    /** The secret that signs order numbers on receipts, encrypted. Null until an admin asked for it. */
    receiptSecret: bytes('receipt_secret'),
    deleted: moment('deleted'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    // The dashboard's URLs contain the property's name.
    uniqueIndex('property_name').on(table.accountId, sql`lower(${table.displayName})`).where(sql`deleted is null`),
    ...valueChecks(table, {
      displayName: LONGEST_STORED_NAME,
      service: 'array',
      timeZone: 64,
      privacyContact: MAX_EMAIL,
      alerts: 'object',
      requests: 'object',
      retention: [1, LONGEST_RETENTION],
    }),
  ],
);
