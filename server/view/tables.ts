import { date, foreignKey, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import { forms } from '../form/tables.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/** Form openings per day (UTC). */
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
    index('view_of_day').on(table.accountId, table.day),
    foreignKey({
      columns: [table.accountId, table.propertyId, table.formId],
      foreignColumns: [forms.accountId, forms.propertyId, forms.id],
    }).onDelete('cascade'),
    ...valueChecks(table),
  ],
);

/** The same by quarter of an hour, for the ends of a time range, because a viewer's day is rarely a UTC day. */
export const viewQuarters = pgTable(
  'view_quarter',
  {
    accountId: text('account_id').notNull(),
    propertyId: text('property_id').notNull(),
    formId: text('form_id').notNull(),
    quarter: timestamp('quarter', { withTimezone: true, precision: 0 }).notNull(),
    count: integer('count').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.quarter, table.formId] }),
    foreignKey({
      columns: [table.accountId, table.propertyId, table.formId],
      foreignColumns: [forms.accountId, forms.propertyId, forms.id],
    }).onDelete('cascade'),
    ...valueChecks(table),
  ],
);
