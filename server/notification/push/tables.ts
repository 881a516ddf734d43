import { boolean, foreignKey, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytes, moment } from '../../platform/database/columns.ts';
import { valueChecks } from '../../platform/database/value-checks.ts';
import { users } from '../../user/tables.ts';

/** Browsers that show their person's notifications. */
export const devices = pgTable(
  'push_device',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    userId: text('user_id').notNull(),
    /** The sign-in that subscribed it. The subscription ends with it. */
    session: text('session').notNull(),
    /** SHA-256 of its address at the push service: a browser belongs to one person. */
    hash: bytes('hash').notNull(),
    /** Its address and keys, encrypted. */
    sealed: bytes('sealed').notNull(),
    /** "Chrome on Android". */
    label: text('label').notNull(),
    /** Whether it shows visitors' words. */
    showsWords: boolean('shows_words').notNull(),
    created: moment('created').notNull(),
    /** When a push service last accepted a push for it. */
    delivered: moment('delivered'),
    /** When pushes to it began to fail. */
    failingSince: moment('failing_since'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex('push_device_hash').on(table.hash),
    index('push_device_of_user').on(table.accountId, table.userId, table.created),
    index('push_device_session').on(table.session),
    foreignKey({ columns: [table.accountId, table.userId], foreignColumns: [users.accountId, users.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    ...valueChecks(table),
  ],
);

/** The installation's keys at push services (VAPID), encrypted: a pair for each of its secrets, past and present. */
export const pushKeys = pgTable(
  'push_key',
  {
    /** The name of the secret that encrypts it. */
    secret: text('secret').primaryKey(),
    /** Base64url, as browsers take it. */
    publicKey: text('public_key').notNull(),
    sealed: bytes('sealed').notNull(),
  },
  (table) => valueChecks(table),
);
