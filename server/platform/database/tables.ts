import { integer, pgTable, smallint } from 'drizzle-orm/pg-core';
import { bytes, moment } from './columns.ts';
import { valueChecks } from './value-checks.ts';

/** When processes last wrote successfully with the visitors' role, in a few reused rows. Belongs to no account. */
export const heartbeats = pgTable('heartbeat', { slot: smallint('slot').primaryKey(), at: moment('at').notNull() }, (table) =>
  valueChecks(table),
);

/** Request counts since a time, by a hash of the operation and caller. Belongs to no account. */
export const rateLimits = pgTable(
  'rate_limit',
  {
    key: bytes('key').primaryKey(),
    count: integer('count').notNull(),
    since: moment('since').notNull(),
  },
  (table) => valueChecks(table),
);
