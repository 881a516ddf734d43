import { sql } from 'drizzle-orm';
import { foreignKey, index, integer, jsonb, pgTable, primaryKey, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { OpeningHours } from '#contract/kiosk/hours.ts';
import { LONGEST_REPEAT } from '#contract/kiosk/kiosk.ts';
import { bytes, moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';
import { tools } from '../tool/tables.ts';

/** Tablets, one for each placement of the type `kiosk`, which has the kiosk's name. */
export const kiosks = pgTable(
  'kiosk',
  {
    accountId: text('account_id').notNull(),
    /** The placement's id. */
    id: text('id').notNull(),
    propertyId: text('property_id').notNull(),
    hours: jsonb('hours').$type<OpeningHours>().notNull(),
    thanks: text('thanks'),
    /** In seconds. */
    repeatWithin: smallint('repeat_within').notNull(),
    /** SHA-256 of the id and the PIN. */
    pinHash: bytes('pin_hash').notNull(),
    /** SHA-256 of the pairing code, until it is used. */
    codeHash: bytes('code_hash'),
    codeUntil: moment('code_until'),
    /** SHA-256 of the paired tablet's token; null without one. */
    tokenHash: bytes('token_hash'),
    paired: moment('paired'),
    /** The last report: its time, the answers that waited, and the page's version. */
    seen: moment('seen'),
    waiting: integer('waiting'),
    version: text('version'),
    /** The last report before it was marked as silent, until it reports again. */
    silent: moment('silent'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex('kiosk_code').on(table.codeHash).where(sql`code_hash is not null`),
    // The job that looks for silent kiosks reads only these.
    index('kiosk_seen').on(table.seen).where(sql`token_hash is not null and silent is null`),
    foreignKey({
      columns: [table.accountId, table.propertyId, table.id],
      foreignColumns: [tools.accountId, tools.propertyId, tools.id],
    }).onDelete('cascade'),
    ...valueChecks(table, { hours: 'array', repeatWithin: [0, LONGEST_REPEAT] }),
  ],
);
