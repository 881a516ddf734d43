import { doublePrecision, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { accounts } from '../account/tables.ts';
import { moment } from '../kernel/columns.ts';

/** What an account is signed up for: one row for each account. */
export const subscriptions = pgTable('subscription', {
  accountId: text('account_id')
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  status: text('status', { enum: ['inactive', 'active', 'trial', 'past_due', 'cancelled'] }).notNull(),
  plan: text('plan', { enum: ['Essentials', 'Pro', 'Beta'] }),
  /** US dollars a month. */
  cost: doublePrecision('cost'),
  paymentFrequency: text('payment_frequency', { enum: ['Monthly', 'Annual'] }),
  startDate: moment('start_date'),
  /** Day of the month, for display only. */
  billingDate: integer('billing_date'),
  /** Set once: whatever is chosen later, a trial is never had twice. */
  trialStartedAt: moment('trial_started_at'),
  trialEndsAt: moment('trial_ends_at'),
  /** Signing up is finished; its steps cannot be taken again. */
  onboardedAt: moment('onboarded_at'),
});
