import { sql } from 'drizzle-orm';
import { jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { AlertSettings } from '#contract/alert/alert.ts';
import { LONGEST_STORED_NAME } from '#contract/core/schema.ts';
import type { ReviewLink } from '#contract/form/review.ts';
import { accounts } from '../account/tables.ts';
import { moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/** Places. A deleted one keeps its row, so that what belongs to it can be found and removed. */
export const properties = pgTable(
  'property',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    created: moment('created').notNull(),
    author: text('author').notNull(),
    displayName: text('display_name').notNull(),
    service: jsonb('service').$type<ReviewLink[]>().notNull(),
    formId: text('form_id').notNull(),
    complaints: text('complaints').array().notNull(),
    weekly: text('weekly').array().notNull(),
    daily: text('daily').array().notNull().default(sql`'{}'`),
    monthly: text('monthly').array().notNull().default(sql`'{}'`),
    /** Where its clocks go by: a zone of the tz database. Null: nobody said. */
    timeZone: text('time_zone'),
    /** When and in which order people hear of urgent feedback. Null: at once, and nobody after them. */
    alerts: jsonb('alerts').$type<AlertSettings>(),
    deleted: moment('deleted'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    // Addresses name a property by its name.
    uniqueIndex('property_name').on(table.accountId, sql`lower(${table.displayName})`).where(sql`deleted is null`),
    ...valueChecks(table, { displayName: LONGEST_STORED_NAME, service: 'array', timeZone: 64, alerts: 'object' }),
  ],
);
