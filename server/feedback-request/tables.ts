import { sql } from 'drizzle-orm';
import { foreignKey, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { MAX_EMAIL } from '#contract/core/schema.ts';
import { LONGEST_CUSTOMER_NAME, REQUEST_STATUSES, SUPPRESSION_REASONS } from '#contract/feedback-request/feedback-request.ts';
import { LANGUAGE_TAGS } from '#contract/language/languages.ts';
import { accounts } from '../account/tables.ts';
import { bytes, moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';
import { properties } from '../property/tables.ts';

/** Emails that ask customers for feedback, one row for each request. */
export const feedbackRequests = pgTable(
  'feedback_request',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    propertyId: text('property_id').notNull(),
    /** Null once it was erased. */
    email: text('email'),
    /** SHA-256 of the account and the address. */
    emailHash: bytes('email_hash').notNull(),
    name: text('name'),
    /** Null: the form's own language. */
    language: text('language', { enum: LANGUAGE_TAGS }),
    author: text('author').notNull(),
    created: moment('created').notNull(),
    visited: moment('visited').notNull(),
    status: text('status', { enum: REQUEST_STATUSES }).notNull(),
    /** When the next email is due. */
    due: moment('due'),
    sent: moment('sent'),
    reminded: moment('reminded'),
    answered: moment('answered'),
    /** SHA-256 of the answer's key. Null once it's answered, so that nothing connects the answer with the address. */
    keyHash: bytes('key_hash'),
    /** The deliveries of its emails. */
    deliveryIds: text('delivery_ids').array().notNull().default([]),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index('feedback_request_of_property').on(table.accountId, table.propertyId, table.created, table.id),
    // Counting by status reads nothing else.
    index('feedback_request_counts').on(table.accountId, table.propertyId, table.status, table.sent),
    uniqueIndex('feedback_request_waiting').on(table.accountId, table.emailHash).where(sql`status = 'waiting'`),
    index('feedback_request_of_address').on(table.accountId, table.emailHash),
    index('feedback_request_due').on(table.accountId, table.due).where(sql`due is not null`),
    index('feedback_request_sent').on(table.accountId, table.sent).where(sql`sent is not null`),
    index('feedback_request_reminded').on(table.accountId, table.reminded).where(sql`reminded is not null`),
    index('feedback_request_key').on(table.accountId, table.keyHash).where(sql`key_hash is not null`),
    index('feedback_request_created').on(table.created),
    index('feedback_request_delivery').using('gin', table.deliveryIds).where(sql`delivery_ids <> '{}'`),
    foreignKey({ columns: [table.accountId, table.propertyId], foreignColumns: [properties.accountId, properties.id] }).onDelete('cascade'),
    ...valueChecks(table, { email: MAX_EMAIL, name: LONGEST_CUSTOMER_NAME }),
  ],
);

/** Addresses that an account never asks. */
export const suppressions = pgTable(
  'suppression',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    /** SHA-256 of the account and the address, which stays when the address is erased. */
    emailHash: bytes('email_hash').notNull(),
    email: text('email'),
    reason: text('reason', { enum: SUPPRESSION_REASONS }).notNull(),
    created: moment('created').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex('suppression_of_address').on(table.accountId, table.emailHash),
    index('suppression_created').on(table.accountId, table.created, table.id),
    ...valueChecks(table, { email: MAX_EMAIL }),
  ],
);
