import { bigint, doublePrecision, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from '../kernel/columns.ts';

/** A business and its subscription. Row security: `id` is the account in scope. */
export const accounts = pgTable('account', {
  id: text('id').primaryKey(),
  created: moment('created').notNull(),
  displayName: text('display_name').notNull(),
  status: text('status').notNull(),
  plan: text('plan'),
  /** US dollars a month. */
  cost: doublePrecision('cost'),
  paymentFrequency: text('payment_frequency'),
  startDate: moment('start_date'),
  /** Day of the month, for display only. */
  billingDate: integer('billing_date'),
  trialStartedAt: moment('trial_started_at'),
  trialEndsAt: moment('trial_ends_at'),
  onboardedAt: moment('onboarded_at'),
  /** Out of reach since then; gone for good a week later. */
  deleted: moment('deleted'),
});

/** What operators did. Entries are added and read, never changed: the product's role may do nothing else. */
export const auditEntries = pgTable('audit_entry', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: moment('at').notNull(),
  by: text('by').notNull(),
  act: text('act').notNull(),
  subject: text('subject').notNull(),
  detail: text('detail').notNull(),
});
