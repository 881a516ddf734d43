import { sql } from 'drizzle-orm';
import { pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { LONGEST_STORED_NAME } from '#contract/core/schema.ts';
import { accounts } from '../account/tables.ts';
import { moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/** The team's tags for feedback. */
export const tags = pgTable(
  'tag',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    displayName: text('display_name').notNull(),
    created: moment('created').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex('tag_name').on(table.accountId, sql`lower(${table.displayName})`),
    ...valueChecks(table, { displayName: LONGEST_STORED_NAME }),
  ],
);
