import { date, foreignKey, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { forms } from '../form/tables.ts';

/** How often each form was opened on each day (UTC). */
export const views = pgTable(
  'view',
  {
    accountId: text('account_id').notNull(),
    propertyId: text('property_id').notNull(),
    formId: text('form_id').notNull(),
    day: date('day').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.formId, table.day] }),
    foreignKey({
      columns: [table.accountId, table.propertyId, table.formId],
      foreignColumns: [forms.accountId, forms.propertyId, forms.id],
    }).onDelete('cascade'),
  ],
);
