import { sql } from 'drizzle-orm';
import { pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { LONGEST_STORED_NAME } from '#contract/core/schema.ts';
import { MAX_TEXT } from '#contract/feedback/rating.ts';
import { accounts } from '../account/tables.ts';
import { moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/** Texts that the team often sends to visitors. */
export const savedReplies = pgTable(
  'saved_reply',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    displayName: text('display_name').notNull(),
    text: text('text').notNull(),
    created: moment('created').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex('saved_reply_name').on(table.accountId, sql`lower(${table.displayName})`),
    ...valueChecks(table, { displayName: LONGEST_STORED_NAME, text: MAX_TEXT }),
  ],
);
