import { and, asc, count, desc, eq, gt, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { EXPORT_KEPT, type ExportedFile, type ExportFailure } from '#contract/export/export.ts';
import { deleteSome } from '../platform/database/batches.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { type ExportProgress, type ExportQuery, exportParts, exportsTable as files } from './tables.ts';

export type { ExportProgress, ExportQuery };

type ExportRow = typeof files.$inferSelect;

/* ── For the person who asked ── */

export async function insert(
  { accountId, db, now, actor }: AccountScope,
  row: Pick<ExportRow, 'id' | 'content' | 'format' | 'name' | 'query' | 'contacts'>,
): Promise<ExportedFile> {
  const [stored] = await db
    .insert(files)
    .values({ ...row, accountId, userId: actor, created: now, touched: now, status: 'waiting' })
    .returning();
  if (!stored) throw new Error('The export was not stored');
  return record(stored);
}

/** The caller's own files that can be fetched still, or are being written, newest first. */
export async function list(scope: AccountScope): Promise<ExportedFile[]> {
  const { accountId, db, actor } = scope;
  const rows = await db
    .select()
    .from(files)
    .where(and(eq(files.accountId, accountId), eq(files.userId, actor), standing(scope)))
    .orderBy(desc(files.created), asc(files.id));
  return rows.map(record);
}

export async function byId(scope: AccountScope, id: string): Promise<ExportedFile | undefined> {
  const [row] = await scope.db.select().from(files).where(own(scope, id));
  return row && record(row);
}

/** How many files are being written for the caller, and for the account. */
export async function underWay({ accountId, db, actor }: AccountScope): Promise<{ own: number; all: number }> {
  const rows = await db
    .select({ userId: files.userId, many: count() })
    .from(files)
    .where(and(eq(files.accountId, accountId), UNDER_WAY))
    .groupBy(files.userId);
  return {
    own: rows.find(({ userId }) => userId === actor)?.many ?? 0,
    all: rows.reduce((sum, { many }) => sum + many, 0),
  };
}

/** Marks one of the caller's own files as deleted; whoever writes it stops. Its parts are there until `forget`. */
export async function remove(scope: AccountScope, id: string): Promise<boolean> {
  const { rowCount } = await scope.db.update(files).set({ status: 'deleted', linkHash: null }).where(own(scope, id));
  return rowCount === 1;
}

/** Makes a link to one of the caller's own files that is whole, in the place of the one before. */
export async function setLink(scope: AccountScope, id: string, link: { hash: Buffer; until: Date }): Promise<boolean> {
  const { rowCount } = await scope.db
    .update(files)
    .set({ linkHash: link.hash, linkUntil: link.until })
    .where(and(own(scope, id), eq(files.status, 'done')));
  return rowCount === 1;
}

/** What a link leads to. Uses it up. */
export async function takeLink(
  scope: AccountScope,
  { id, hash }: { readonly id: string; readonly hash: Buffer },
): Promise<Pick<ExportRow, 'userId' | 'content' | 'format' | 'contacts' | 'name' | 'parts' | 'size'> | undefined> {
  const { accountId, db, now } = scope;
  const isGood = [eq(files.accountId, accountId), eq(files.id, id), eq(files.linkHash, hash), gt(files.linkUntil, now), standing(scope)];
  const [row] = await db
    .update(files)
    .set({ linkHash: null })
    .where(and(...isGood, eq(files.status, 'done')))
    .returning();
  return row;
}

/** A piece of a file, by its number from 0. */
export async function part({ accountId, db }: AccountScope, id: string, number: number): Promise<Buffer | undefined> {
  const [row] = await db
    .select({ bytes: exportParts.bytes })
    .from(exportParts)
    .where(and(eq(exportParts.accountId, accountId), eq(exportParts.exportId, id), eq(exportParts.number, number)));
  return row?.bytes;
}

/* ── For the job that writes ── */

/** A file that is still to be written, of the person in whose name it is written. */
export async function unfinished(scope: AccountScope, id: string): Promise<ExportRow | undefined> {
  const [row] = await scope.db
    .select()
    .from(files)
    .where(and(own(scope, id), UNDER_WAY));
  return row;
}

/** Says how many rows the file will have, where that is known: it is being written from now on. */
export async function begin(scope: AccountScope, id: string, expected: number | null): Promise<void> {
  await scope.db
    .update(files)
    .set({ status: 'running', expected, touched: scope.now })
    .where(and(own(scope, id), UNDER_WAY));
}

/** Some more bytes of a file, with how many rows are in them and how far the file is then. */
export interface ExportPiece {
  readonly bytes: Uint8Array;
  readonly rows: number;
  readonly progress: ExportProgress;
  readonly isLast: boolean;
}

/** Adds a piece to a file as it was read. False where it was deleted meanwhile, or another process has added that piece. */
export async function addPart(scope: AccountScope, before: ExportRow, { bytes, rows, progress, isLast }: ExportPiece): Promise<boolean> {
  const { accountId, db, now } = scope;
  const { rowCount } = await db
    .update(files)
    .set({
      parts: before.parts + 1,
      rows: before.rows + rows,
      size: before.size + bytes.length,
      progress,
      touched: now,
      ...(isLast && { status: 'done' as const }),
    })
    .where(and(own(scope, before.id), UNDER_WAY, eq(files.parts, before.parts)));
  if (rowCount !== 1) return false;
  await db.insert(exportParts).values({ accountId, exportId: before.id, number: before.parts, bytes: Buffer.from(bytes) });
  return true;
}

/** Says why a file is not written to its end. */
export async function fail(scope: AccountScope, id: string, failure: ExportFailure): Promise<void> {
  await scope.db
    .update(files)
    .set({ status: 'failed', failure, touched: scope.now })
    .where(and(own(scope, id), UNDER_WAY));
}

/* ── Removing what nobody can fetch any more ── */

export interface NamedExport {
  readonly accountId: string;
  readonly userId: string;
  readonly id: string;
}

/** Files of all accounts that are deleted, or that were finished before. */
export function over({ db }: OperatorScope, before: Date): Promise<NamedExport[]> {
  return db
    .select({ accountId: files.accountId, userId: files.userId, id: files.id })
    .from(files)
    .where(or(lt(files.touched, before), eq(files.status, 'deleted')));
}

/** Files of all accounts that should be being written, and are not since then: their job is gone. */
export function stuck({ db }: OperatorScope, since: Date): Promise<NamedExport[]> {
  return db
    .select({ accountId: files.accountId, userId: files.userId, id: files.id })
    .from(files)
    .where(and(UNDER_WAY, lt(files.touched, since)));
}

/** Deletes some pieces of a file for good, and its row when none is left; gives back whether more is to be done. */
export async function forget({ accountId, db }: AccountScope, id: string, most: number): Promise<boolean> {
  const isOfFile = and(eq(exportParts.accountId, accountId), eq(exportParts.exportId, id));
  if ((await deleteSome(db, exportParts, isOfFile, most)) > 0) return true;
  await db.delete(files).where(and(eq(files.accountId, accountId), eq(files.id, id)));
  return false;
}

/** The ids of all files of the account, whoever asked for them. */
export async function all({ accountId, db }: AccountScope): Promise<string[]> {
  const rows = await db.select({ id: files.id }).from(files).where(eq(files.accountId, accountId));
  return rows.map(({ id }) => id);
}

const UNDER_WAY = sql`status in ('waiting', 'running')`;

/** Neither deleted nor over. What is being written is not over, however long it takes. */
const standing = ({ now }: AccountScope): SQL | undefined =>
  and(ne(files.status, 'deleted'), or(UNDER_WAY, gt(files.touched, new Date(now.getTime() - EXPORT_KEPT))));

const own = (scope: AccountScope, id: string): SQL | undefined =>
  and(eq(files.accountId, scope.accountId), eq(files.id, id), eq(files.userId, scope.actor), standing(scope));

const record = (row: ExportRow): ExportedFile => ({
  id: row.id,
  sk: 'EXPORT',
  gs1sk: row.userId,
  data: {
    created: row.created.getTime(),
    content: row.content,
    format: row.format,
    name: row.name,
    status: statusOf(row),
    rows: row.rows,
    ...(row.expected !== null && { expected: row.expected }),
    ...(row.status === 'done' && { size: row.size, until: row.touched.getTime() + EXPORT_KEPT }),
    ...(row.failure !== null && { failure: row.failure }),
  },
});

function statusOf({ status }: ExportRow): ExportedFile['data']['status'] {
  if (status === 'deleted') throw new Error('A deleted export was shown');
  return status;
}
