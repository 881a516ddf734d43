import { sql } from 'drizzle-orm';
import { date, foreignKey, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { REPORT_KINDS } from '#contract/report/report.ts';
import { moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';
import { properties } from '../property/tables.ts';

/** Reports that were made, and the next one for each property and kind with recipients. */
export const reports = pgTable(
  'report',
  {
    accountId: text('account_id').notNull(),
    propertyId: text('property_id').notNull(),
    kind: text('kind', { enum: REPORT_KINDS }).notNull(),
    /** The first day of the period. */
    firstDay: date('first_day', { mode: 'string' }).notNull(),
    due: moment('due').notNull(),
    /** Null if it isn't made yet. */
    made: moment('made'),
    /** Number of recipients; 0 if it was skipped. */
    people: integer('people').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.propertyId, table.kind, table.firstDay] }),
    foreignKey({ columns: [table.accountId, table.propertyId], foreignColumns: [properties.accountId, properties.id] }).onDelete('cascade'),
    index('report_due').on(table.due, table.accountId, table.propertyId, table.kind).where(sql`made is null`),
    ...valueChecks(table),
  ],
);
