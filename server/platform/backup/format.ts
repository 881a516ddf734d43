import * as v from 'valibot';

/* A backup is a .tar.gz: `backup.json`, then the parts of each table, then `contents.json` (docs/decisions/0014-exports-and-backups.md). */

/** Why a backup cannot be made or restored, in words for whoever runs the installation. */
export class BackupError extends Error {}

export const FORMAT = 1;
export const HEADER = 'backup.json';
export const CONTENTS = 'contents.json';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What a backup is. It is its first entry. */
export const header = v.object({
  format: v.literal(FORMAT),
  product: v.string(),
  /** ISO 8601, UTC. */
  made: v.pipe(v.string(), v.isoTimestamp()),
  /** The hashes of the migrations that its tables are those of, in order. */
  migrations: v.array(v.string()),
  /** The columns of each table, in the order of its rows. */
  tables: v.record(v.string(), v.array(v.string())),
  queue: v.object({ version: count, names: v.array(v.string()) }),
  /** The installation's secret: its name, and itself where it lay beside the data. */
  secret: v.object({ name: v.string(), text: v.optional(v.string()) }),
});
export type BackupHeader = v.InferOutput<typeof header>;

const tableContents = v.object({ rows: count, bytes: count, sha256: v.string() });
export type TableContents = v.InferOutput<typeof tableContents>;

/** What a backup has to hold. It is its last entry: without it the file is not whole. */
export const contents = v.object({
  tables: v.record(v.string(), tableContents),
  sequences: v.record(v.string(), v.nullable(v.pipe(v.string(), v.regex(/^\d{1,19}$/)))),
});
export type BackupContents = v.InferOutput<typeof contents>;

const PART = /^tables\/(.+)\/\d{6}$/;

/** The name of the nth part of a table, from 0. */
export const partName = (table: string, part: number): string => `tables/${table}/${String(part).padStart(6, '0')}`;

/** The table that an entry is a part of. */
export const tableOfPart = (entry: string): string | undefined => PART.exec(entry)?.[1];
