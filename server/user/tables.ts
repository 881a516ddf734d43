import { boolean, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { LONGEST_STORED_NAME, MAX_EMAIL } from '#contract/core/schema.ts';
import type { TeamLanguage } from '#contract/language/team.ts';
import { LEVELS } from '#contract/user/user.ts';
import { accounts } from '../account/tables.ts';
import { moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/** Team members. Row security: the account in scope, or the signed-in person's own row. */
export const users = pgTable(
  'user',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    created: moment('created').notNull(),
    createdBy: text('created_by').notNull(),
    displayName: text('display_name').notNull(),
    emailAddress: text('email_address').notNull(),
    avatar: text('avatar'),
    level: text('level', { enum: LEVELS }).notNull(),
    /** Without a constraint on the value, so that a new language needs no migration. */
    language: text('language').$type<TeamLanguage>(),
    /** True until the person accepts the invitation. */
    invited: boolean('invited').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index('user_by_id').on(table.id),
    ...valueChecks(table, { displayName: LONGEST_STORED_NAME, emailAddress: MAX_EMAIL, avatar: 1_000_000 }),
  ],
);
