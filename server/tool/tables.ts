import { sql } from 'drizzle-orm';
import { foreignKey, pgTable, primaryKey, text, unique, uniqueIndex } from 'drizzle-orm/pg-core';
import { LONGEST_STORED_NAME } from '#contract/core/schema.ts';
import { TOOL_TYPES } from '#contract/tool/tool.ts';
import { forms } from '../form/tables.ts';
import { moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/** Where a property collects feedback. A deleted placement's row stays, because feedback and printed codes refer to it. */
export const tools = pgTable(
  'tool',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    propertyId: text('property_id').notNull(),
    formId: text('form_id').notNull(),
    toolType: text('tool_type', { enum: TOOL_TYPES }).notNull(),
    displayName: text('display_name').notNull(),
    created: moment('created').notNull(),
    author: text('author').notNull(),
    deleted: moment('deleted'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    // Feedback refers to all three columns, so that it can't have another property's placement (docs/rules.md#same-account).
    unique('tool_of_property').on(table.accountId, table.propertyId, table.id),
    uniqueIndex('tool_name').on(table.accountId, table.propertyId, sql`lower(${table.displayName})`).where(sql`deleted is null`),
    foreignKey({
      columns: [table.accountId, table.propertyId, table.formId],
      foreignColumns: [forms.accountId, forms.propertyId, forms.id],
    }).onDelete('cascade'),
    ...valueChecks(table, { displayName: LONGEST_STORED_NAME }),
  ],
);
