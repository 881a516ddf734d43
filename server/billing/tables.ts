import { sql } from 'drizzle-orm';
import { doublePrecision, index, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { FREQUENCIES, PLANS } from '#contract/billing/billing.ts';
import { type BillingState, PROVIDER_STATUSES } from '#contract/billing/billing-state.ts';
import { accounts } from '../account/tables.ts';
import { moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';
import type { EventBody, OpenCheckout } from './port.ts';

/** What an account is signed up for: one row for each account. */
export const subscriptions = pgTable(
  'subscription',
  {
    accountId: text('account_id')
      .primaryKey()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** `inactive` until signing up is finished, then `active`: what it means at a moment is not stored. */
    status: text('status', { enum: ['inactive', 'active', 'trial', 'past_due', 'cancelled'] }).notNull(),
    plan: text('plan', { enum: PLANS }),
    /** US dollars a month. */
    cost: doublePrecision('cost'),
    paymentFrequency: text('payment_frequency', { enum: FREQUENCIES }),
    startDate: moment('start_date'),
    /** Day of the month, for display only. */
    billingDate: integer('billing_date'),
    /** Set once: whatever is chosen later, a trial is never had twice, unless an operator gives another. */
    trialStartedAt: moment('trial_started_at'),
    trialEndsAt: moment('trial_ends_at'),
    /** Signing up is finished; its steps cannot be taken again. */
    onboardedAt: moment('onboarded_at'),
    /** What the payment provider said, by its ids. */
    heard: jsonb('heard').$type<BillingState>().notNull().default({}),
    /** What the provider calls the state of the subscription that counts, for lists. */
    bought: text('bought', { enum: PROVIDER_STATUSES }),
    /** What a checkout was opened for that is not paid yet. */
    checkout: jsonb('checkout').$type<OpenCheckout>(),
  },
  (table) => valueChecks(table, { heard: 'object', checkout: 'object', cost: [0, 1_000_000] }),
);

/** Whose the provider's records are, by their ids. Outlives the account: what is said of it later is known to be ours. */
export const billingReferences = pgTable(
  'billing_reference',
  { id: text('id').primaryKey(), accountId: text('account_id').notNull() },
  (table) => valueChecks(table),
);

/** What the provider told, once for each of its events. */
export const billingEvents = pgTable(
  'billing_event',
  {
    eventId: text('event_id').primaryKey(),
    type: text('type').notNull(),
    /** When it happened, as `instantKey` writes it. */
    at: text('at').notNull(),
    received: moment('received').notNull(),
    accountId: text('account_id'),
    /** `settled`: applied, or nothing follows from it. The others wait for an operator. */
    outcome: text('outcome', { enum: ['settled', 'noted', 'unmatched', 'failed'] }).notNull(),
    why: text('why').notNull(),
    /** Kept for as long as it may be applied again. */
    body: jsonb('body').$type<EventBody>(),
  },
  (table) => [
    index('billing_event_open').on(table.received).where(sql`outcome <> 'settled'`),
    index('billing_event_received').on(table.received),
    ...valueChecks(table, { why: 100_000, body: 'object' }),
  ],
);

/** What an account was reminded of, so that it is reminded once. */
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

/** How far the provider's own list of events was read: one row. */
export const billingReadings = pgTable(
  'billing_reading',
  {
    slot: smallint('slot').primaryKey(),
    /** The id of the last event that was read. */
    after: text('after'),
    /** When the list was last read to its end. */
    readAt: moment('read_at'),
    /** Why the last reading failed. */
    failure: text('failure'),
  },
  (table) => valueChecks(table, { failure: 100_000 }),
);
