import { sql } from 'drizzle-orm';
import { bigint, boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import {
  DELIVERY_STATUSES,
  TEST_EVENT,
  WEBHOOK_EVENTS,
  WEBHOOK_FORMATS,
  type WebhookAttempt,
  type WebhookEvent,
} from '#contract/webhook/webhook.ts';
import { accounts } from '../account/tables.ts';
import { bytes, moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/** Addresses that hear of events. Secrets are sealed with the installation's, for their webhook's id. */
export const webhooks = pgTable(
  'webhook',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    url: text('url').notNull(),
    description: text('description').notNull(),
    events: text('events').array().$type<WebhookEvent[]>().notNull(),
    /** Null: all of the account. */
    propertyIds: text('property_ids').array(),
    format: text('format', { enum: WEBHOOK_FORMATS }).notNull(),
    isFull: boolean('is_full').notNull(),
    isOn: boolean('is_on').notNull(),
    isGone: boolean('is_gone').notNull().default(false),
    secret: bytes('secret').notNull(),
    /** The secret that was replaced, and until when it signs as well. */
    previous: bytes('previous'),
    previousUntil: moment('previous_until'),
    failingSince: moment('failing_since'),
    /** When the admins were told that nothing arrives; they hear no more until something does. */
    warned: moment('warned'),
    created: moment('created').notNull(),
    createdBy: text('created_by').notNull(),
    deleted: moment('deleted'),
    deletedBy: text('deleted_by'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.id] }), ...valueChecks(table)],
);

/** What is to be sent, or was: ids only, so that nobody's words lie here. */
export const webhookDeliveries = pgTable(
  'webhook_delivery',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    webhookId: text('webhook_id').notNull(),
    /** What makes it one delivery, however often it is written: the feedback that was created, or the event. */
    cause: text('cause').notNull(),
    type: text('type', { enum: [...WEBHOOK_EVENTS, TEST_EVENT] }).notNull(),
    /** Null for a test. */
    eventId: bigint('event_id', { mode: 'number' }),
    status: text('status', { enum: DELIVERY_STATUSES }).notNull(),
    /** When it is tried next; while it is tried, when another process may. */
    due: moment('due').notNull(),
    /** While a process has taken it; it stays so where that process died, until another takes it. */
    isUnderWay: boolean('is_under_way').notNull().default(false),
    /** Since it was written, or sent again. */
    tries: integer('tries').notNull().default(0),
    attempts: jsonb('attempts').$type<readonly WebhookAttempt[]>().notNull().default([]),
    created: moment('created').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    foreignKey({ columns: [table.accountId, table.webhookId], foreignColumns: [webhooks.accountId, webhooks.id] }).onDelete('cascade'),
    uniqueIndex('webhook_delivery_cause').on(table.accountId, table.webhookId, table.cause),
    index('webhook_delivery_waiting').on(table.accountId, table.webhookId, table.due).where(sql`status = 'waiting'`),
    index('webhook_delivery_newest').on(table.accountId, table.webhookId, table.created, table.id),
    index('webhook_delivery_created').on(table.created),
    ...valueChecks(table, { attempts: 'array' }),
  ],
);
