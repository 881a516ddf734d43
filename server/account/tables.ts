import { pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from '../kernel/columns.ts';

/** A business. Row security: `id` is the account in scope. */
export const accounts = pgTable('account', {
  id: text('id').primaryKey(),
  created: moment('created').notNull(),
  displayName: text('display_name').notNull(),
  /** Out of reach since then; gone for good a week later. */
  deleted: moment('deleted'),
});
