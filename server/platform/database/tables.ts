import { integer, pgTable, smallint } from 'drizzle-orm/pg-core';
import { bytes, moment } from './columns.ts';
import { valueChecks } from './value-checks.ts';

/** When processes last found that they can write as visitors do: a few rows, written over and over. No matching account. */
export const heartbeats = pgTable('heartbeat', { slot: smallint('slot').primaryKey(), at: moment('at').notNull() }, (table) =>
  valueChecks(table),
);

/** How often something was asked for since a moment, by a hash of what and by whom. No matching account. */
export const rateLimits = pgTable(
  'rate_limit',
  {
    key: bytes('key').primaryKey(),
    count: integer('count').notNull(),
    since: moment('since').notNull(),
  },
  (table) => valueChecks(table),
);
