import { bigint, boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { EXPORT_CONTENTS, EXPORT_FAILURE_NAMES, EXPORT_FORMATS, EXPORT_STATUSES } from '#contract/export/export.ts';
import type { SheetState } from '#contract/export/table.ts';
import type { ZipState } from '#contract/export/zip.ts';
import { accounts } from '../account/tables.ts';
import type { FeedbackListQuery } from '../feedback/store.ts';
import { bytes, moment } from '../platform/database/columns.ts';
import { valueChecks } from '../platform/database/value-checks.ts';

/** What is exported: a list of feedback, or everything without one. Times are written in `zone`. */
export interface ExportQuery {
  readonly zone: string;
  readonly list?: Omit<FeedbackListQuery, 'cursor' | 'limit'>;
}

/** The progress of a file: its last record, and the state needed to continue. */
export interface ExportProgress {
  readonly cursor?: string;
  readonly sheet?: SheetState;
  /** The current kind of record in an archive, the part of its file, and whether that part is started. */
  readonly archive?: { readonly kind: number; readonly part: number; readonly isOpen: boolean; readonly zip: ZipState };
}

/** Requested files. A deleted file's row stays until its parts are deleted. */
export const exportsTable = pgTable(
  'export',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    userId: text('user_id').notNull(),
    created: moment('created').notNull(),
    content: text('content', { enum: EXPORT_CONTENTS }).notNull(),
    format: text('format', { enum: EXPORT_FORMATS }).notNull(),
    name: text('name').notNull(),
    query: jsonb('query').$type<ExportQuery>().notNull(),
    /** Whether visitors' contacts are in it. */
    contacts: boolean('contacts').notNull(),
    status: text('status', { enum: [...EXPORT_STATUSES, 'deleted'] }).notNull(),
    rows: integer('rows').notNull().default(0),
    expected: integer('expected'),
    parts: integer('parts').notNull().default(0),
    size: bigint('size', { mode: 'number' }).notNull().default(0),
    progress: jsonb('progress').$type<ExportProgress>().notNull().default({}),
    failure: text('failure', { enum: EXPORT_FAILURE_NAMES }),
    /** Time of the last write. */
    touched: moment('touched').notNull(),
    /** SHA-256 of the secret in its link, which works once. */
    linkHash: bytes('link_hash'),
    linkUntil: moment('link_until'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index('export_touched').on(table.touched),
    foreignKey({ columns: [table.accountId], foreignColumns: [accounts.id] }).onDelete('cascade'),
    ...valueChecks(table, { query: 'object', progress: 'object' }),
  ],
);

/** The bytes of files, in parts, so that any process can send them. */
export const exportParts = pgTable(
  'export_part',
  {
    accountId: text('account_id').notNull(),
    exportId: text('export_id').notNull(),
    number: integer('number').notNull(),
    bytes: bytes('bytes').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.exportId, table.number] }),
    foreignKey({
      columns: [table.accountId, table.exportId],
      foreignColumns: [exportsTable.accountId, exportsTable.id],
    }).onDelete('cascade'),
    ...valueChecks(table),
  ],
);
