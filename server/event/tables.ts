import { sql } from 'drizzle-orm';
import { bigint, boolean, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/**
 * Recorded events. Only `relayed` ever changes. An account's rows are deleted with the account; the installation's stay. Row security:
 * the account in scope; operators see all.
 */
export const events = pgTable(
  'event',
  {
    /** No foreign key, because each submission would look up and lock the account. */
    accountId: text('account_id').notNull(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    at: moment('at').notNull(),
    name: text('name').notNull(),
    subject: text('subject').notNull(),
    actor: text('actor').notNull(),
    data: jsonb('data').notNull(),
    /** Whether every subscriber has handled the event, or has a job to do so. */
    relayed: boolean('relayed').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index('event_waiting').on(table.accountId, table.id).where(sql`not relayed`),
    // Submissions are found by their feedback, so this index omits their events.
    index('event_of_subject')
      .on(table.accountId, table.subject, table.id)
      .where(sql`name not in ('feedback.submitted', 'feedback.urgent')`),
    ...valueChecks(table, { data: 'object' }),
  ],
);
