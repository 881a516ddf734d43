import * as v from 'valibot';

/* A backup is a .tar.gz: `backup.json`, then the parts of each table, then `contents.json` (docs/decisions/0010-exports-and-backups.md). */

/** Why a backup can't be made or restored; the message is for the operator. */
export class BackupError extends Error {}

export const FORMAT = 1;
export const HEADER = 'backup.json';
export const CONTENTS = 'contents.json';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The backup's first entry, which describes it. */
export const header = v.object({
  format: v.literal(FORMAT),
  product: v.string(),
  /** ISO 8601, UTC. */
  made: v.pipe(v.string(), v.isoTimestamp()),
  /** The hashes of the applied migrations, in order. */
  migrations: v.array(v.string()),
  /** The columns of each table, in the order of its rows. */
  tables: v.record(v.string(), v.array(v.string())),
  queue: v.object({ version: count, names: v.array(v.string()) }),
  /** The installation's secret: its name, and its text if it was stored in `DATA_DIR`. */
  secret: v.object({ name: v.string(), text: v.optional(v.string()) }),
});
export type BackupHeader = v.InferOutput<typeof header>;

const tableContents = v.object({ rows: count, bytes: count, sha256: v.string() });
export type TableContents = v.InferOutput<typeof tableContents>;

/** The backup's last entry, which lists the required contents. Without it the file is incomplete. */
export const contents = v.object({
  tables: v.record(v.string(), tableContents),
  sequences: v.record(v.string(), v.nullable(v.pipe(v.string(), v.regex(/^\d{1,19}$/)))),
});
export type BackupContents = v.InferOutput<typeof contents>;

const PART = /^tables\/(.+)\/\d{6}$/;

/** Returns the name of a table's nth part, from 0. */
export const partName = (table: string, part: number): string => `tables/${table}/${String(part).padStart(6, '0')}`;

/** Returns the table that an entry belongs to, or undefined for another entry. */
export const tableOfPart = (entry: string): string | undefined => PART.exec(entry)?.[1];
