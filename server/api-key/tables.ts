import { pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { ENDING } from '#contract/api-key/api-key.ts';
import type { KeyScope } from '#contract/core/operation.ts';
import { LONGEST_STORED_NAME } from '#contract/core/schema.ts';
import { accounts } from '../account/tables.ts';
import { bytes, moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/** Keys with which a business's own programs call the API. A revoked one is deleted. */
export const apiKeys = pgTable(
  'api_key',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    /** SHA-256 of the key. */
    hash: bytes('hash').notNull(),
    displayName: text('display_name').notNull(),
    scopes: text('scopes').array().$type<KeyScope[]>().notNull(),
    ending: text('ending').notNull(),
    author: text('author').notNull(),
    created: moment('created').notNull(),
    expires: moment('expires'),
    lastUsed: moment('last_used'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex('api_key_hash').on(table.accountId, table.hash),
    ...valueChecks(table, { displayName: LONGEST_STORED_NAME, ending: ENDING }),
  ],
);
