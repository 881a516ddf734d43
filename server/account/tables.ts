import { pgTable, text } from 'drizzle-orm/pg-core';
import { LONGEST_STORED_NAME } from '#contract/core/schema.ts';
import { moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/** A business. Row security: `id` is the account in scope. */
export const accounts = pgTable(
  'account',
  {
    id: text('id').primaryKey(),
    created: moment('created').notNull(),
    displayName: text('display_name').notNull(),
    /** The time the account was marked as deleted; a week later its data is deleted. */
    deleted: moment('deleted'),
  },
  (table) => valueChecks(table, { displayName: LONGEST_STORED_NAME }),
);
