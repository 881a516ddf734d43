import { sql } from 'drizzle-orm';
import { boolean, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { LONGEST_STORED_NAME } from '#contract/core/schema.ts';
import type { Shows } from '#contract/saved-view/saved-view.ts';
import { accounts } from '../account/tables.ts';
import { moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/** Named filters of the feed. A shared view stays when its owner leaves the team. */
export const savedViews = pgTable(
  'saved_view',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    displayName: text('display_name').notNull(),
    isShared: boolean('is_shared').notNull(),
    shows: jsonb('shows').$type<Shows>().notNull(),
    created: moment('created').notNull(),
    createdBy: text('created_by').notNull(),
    deleted: moment('deleted'),
    deletedBy: text('deleted_by'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex('saved_view_name').on(table.accountId, table.createdBy, sql`lower(${table.displayName})`).where(sql`deleted is null`),
    ...valueChecks(table, { displayName: LONGEST_STORED_NAME, shows: 'object' }),
  ],
);
