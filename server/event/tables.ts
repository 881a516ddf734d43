import { sql } from 'drizzle-orm';
import { bigint, boolean, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/**
 * The record of what happened: rows are added, never changed but for `relayed`. An account's rows go with the account;
 * the installation's stay. Row security: the account in scope; operators see all.
 */
export const events = pgTable(
  'event',
  {
    /** Without a foreign key: every submission would look the account up and lock it. */
    accountId: text('account_id').notNull(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    at: moment('at').notNull(),
    name: text('name').notNull(),
    subject: text('subject').notNull(),
    actor: text('actor').notNull(),
    data: jsonb('data').notNull(),
    /** Whether every subscriber has reacted to the event, or has a job to. */
    relayed: boolean('relayed').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index('event_waiting').on(table.id).where(sql`not relayed`),
    // Submissions are found by their feedback, so this index leaves their events out.
    index('event_of_subject')
      .on(table.accountId, table.subject, table.id)
      .where(sql`name not in ('feedback.submitted', 'feedback.urgent')`),
    ...valueChecks(table, { data: 'object' }),
  ],
);
