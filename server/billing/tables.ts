import { sql } from 'drizzle-orm';
import { doublePrecision, index, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { FREQUENCIES, PLANS } from '#contract/billing/billing.ts';
import { type BillingState, PROVIDER_STATUSES } from '#contract/billing/billing-state.ts';
import { accounts } from '../account/tables.ts';
import { moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';
import type { EventBody, OpenCheckout } from './port.ts';

/** One row for each account. */
export const subscriptions = pgTable(
  'subscription',
  {
    accountId: text('account_id')
      .primaryKey()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** `inactive` until sign-up is finished, then `active`. The current standing is computed, not stored. */
    status: text('status', { enum: ['inactive', 'active', 'trial', 'past_due', 'cancelled'] }).notNull(),
    plan: text('plan', { enum: PLANS }),
    /** US dollars a month. */
    cost: doublePrecision('cost'),
    paymentFrequency: text('payment_frequency', { enum: FREQUENCIES }),
    startDate: moment('start_date'),
    /** Day of the month, for display only. */
    billingDate: integer('billing_date'),
    /** Set once, so that an account has only one trial unless an operator grants another. */
    trialStartedAt: moment('trial_started_at'),
    trialEndsAt: moment('trial_ends_at'),
    /** When sign-up was finished. Its steps can't be repeated. */
    onboardedAt: moment('onboarded_at'),
    /** The provider's latest reports, by subscription id. */
    purchases: jsonb('heard').$type<BillingState>().notNull().default({}),
    /** The provider's status of the current subscription, for lists. */
    bought: text('bought', { enum: PROVIDER_STATUSES }),
    /** The open checkout, until it is paid or canceled. */
    checkout: jsonb('checkout').$type<OpenCheckout>(),
  },
  (table) => valueChecks(table, { purchases: 'object', checkout: 'object', cost: [0, 1_000_000] }),
);

/** The account of each of the provider's records. Outlives the account, so that later events are still recognized. */
export const billingReferences = pgTable(
  'billing_reference',
  { id: text('id').primaryKey(), accountId: text('account_id').notNull() },
  (table) => valueChecks(table),
);

/** The provider's events, one row each. */
export const billingEvents = pgTable(
  'billing_event',
  {
    eventId: text('event_id').primaryKey(),
    type: text('type').notNull(),
    /** When it happened, as `instantKey` writes it. */
    at: text('at').notNull(),
    received: moment('received').notNull(),
    accountId: text('account_id'),
    /** `settled`: applied, or nothing to apply. The others wait for an operator. */
    outcome: text('outcome', { enum: ['settled', 'noted', 'unmatched', 'failed'] }).notNull(),
    why: text('why').notNull(),
    /** Stored for as long as it may be retried. */
    body: jsonb('body').$type<EventBody>(),
  },
  (table) => [
    index('billing_event_open').on(table.received).where(sql`outcome <> 'settled'`),
    index('billing_event_received').on(table.received),
    ...valueChecks(table, { why: 100_000, body: 'object' }),
  ],
);

/** Reminders sent to an account, so that each is sent once. */
export const billingNotices = pgTable(
  'billing_notice',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull(),
    at: moment('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind] }), ...valueChecks(table)],
);

/** How far the provider's list of events was read. One row. */
export const billingReadings = pgTable(
  'billing_reading',
  {
    slot: smallint('slot').primaryKey(),
    /** The id of the last event read. */
    after: text('after'),
    /** When the list was last read to the end. */
    readAt: moment('read_at'),
    /** Why the last reading failed. */
    failure: text('failure'),
  },
  (table) => valueChecks(table, { failure: 100_000 }),
);
