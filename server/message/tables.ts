import { boolean, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { MAX_TEXT } from '#contract/feedback/rating.ts';
import { MESSAGE_KINDS } from '#contract/message/message.ts';
import { accounts } from '../account/tables.ts';
import { moment, sortableText } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/** Messages from teams to the operators. With row security, an account adds its own, and operators read, mark and delete them. */
export const messages = pgTable(
  'message',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: sortableText('id').notNull(),
    created: moment('created').notNull(),
    createdBy: text('created_by').notNull(),
    kind: text('kind', { enum: MESSAGE_KINDS }).notNull(),
    text: text('text').notNull(),
    url: text('url').notNull(),
    userAgent: text('user_agent').notNull(),
    mayReply: boolean('may_reply').notNull(),
    /** A data URL of the redrawn picture. Read separately. */
    screenshot: text('screenshot'),
    handled: moment('handled'),
    /** Idempotency key from the page. */
    key: text('key').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex('message_key').on(table.accountId, table.createdBy, table.key),
    index('message_created').on(table.created, table.id),
    ...valueChecks(table, { text: MAX_TEXT, screenshot: 1_000_000 }),
  ],
);
