import { sql } from 'drizzle-orm';
import { bigint, boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { TeamLanguage } from '#contract/language/team.ts';
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

/** URLs that receive events. Secrets are encrypted with the installation's, bound to their webhook's id. */
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
    /** Null: all properties of the account. */
    propertyIds: text('property_ids').array(),
    format: text('format', { enum: WEBHOOK_FORMATS }).notNull(),
    /** Without a constraint on the value, so that a new language needs no migration. */
    language: text('language').$type<TeamLanguage>().notNull().default('en'),
    isFull: boolean('is_full').notNull(),
    isOn: boolean('is_on').notNull(),
    isGone: boolean('is_gone').notNull().default(false),
    secret: bytes('secret').notNull(),
    /** The replaced secret, and until when it also signs. */
    previous: bytes('previous'),
    previousUntil: moment('previous_until'),
    failingSince: moment('failing_since'),
    /** When admins were notified of the failures. They aren't notified again until a delivery succeeds. */
    warned: moment('warned'),
    created: moment('created').notNull(),
    createdBy: text('created_by').notNull(),
    deleted: moment('deleted'),
    deletedBy: text('deleted_by'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.id] }), ...valueChecks(table)],
);

/** Messages to send and sent ones. Ids only, without anyone's text. */
export const webhookDeliveries = pgTable(
  'webhook_delivery',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    webhookId: text('webhook_id').notNull(),
    /** Makes the delivery unique: the feedback that was created, or the event. */
    cause: text('cause').notNull(),
    type: text('type', { enum: [...WEBHOOK_EVENTS, TEST_EVENT] }).notNull(),
    /** Null for a test. */
    eventId: bigint('event_id', { mode: 'number' }),
    status: text('status', { enum: DELIVERY_STATUSES }).notNull(),
    /** When the next attempt is due; during an attempt, when another process may take over. */
    due: moment('due').notNull(),
    /** True while a process is sending it, and after that process died, until another takes over. */
    isUnderWay: boolean('is_under_way').notNull().default(false),
    /** Attempts since it was created or replayed. */
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
