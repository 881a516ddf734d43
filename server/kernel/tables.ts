import { pgTable, smallint } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';

/** When processes last found that they can write as visitors do: a few rows, written over and over. Of no account. */
export const heartbeats = pgTable('heartbeat', {
  slot: smallint('slot').primaryKey(),
  at: moment('at').notNull(),
});
