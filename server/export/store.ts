import { and, asc, count, desc, eq, gt, gte, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { EXPORT_RETENTION, type ExportedFile, type ExportFailure } from '#contract/export/export.ts';
import { deleteSome } from '../platform/database/batches.ts';
import type { AccountScope, OperatorScope } from '../platform/tenancy/access.ts';
import { type ExportProgress, type ExportQuery, exportParts, exportsTable as files } from './tables.ts';

export type { ExportProgress, ExportQuery };

export type ExportRow = typeof files.$inferSelect;

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

/** Returns the caller's own files that are available or being written, newest first. */
export async function list(scope: AccountScope): Promise<ExportedFile[]> {
  const { accountId, db, actor } = scope;
  const rows = await db
    .select()
    .from(files)
    .where(and(eq(files.accountId, accountId), eq(files.userId, actor), isAvailable(scope)))
    .orderBy(desc(files.created), asc(files.id));
  return rows.map(record);
}

export async function byId(scope: AccountScope, id: string): Promise<ExportedFile | undefined> {
  const [row] = await scope.db.select().from(files).where(isOwn(scope, id));
  return row && record(row);
}

/** Returns the number of files being written for the caller and for the account. */
export async function countRunning({ accountId, db, actor }: AccountScope): Promise<{ mine: number; total: number }> {
  const rows = await db
    .select({ userId: files.userId, many: count() })
    .from(files)
    .where(and(eq(files.accountId, accountId), UNFINISHED))
    .groupBy(files.userId);
  return {
    mine: rows.find(({ userId }) => userId === actor)?.many ?? 0,
    total: rows.reduce((sum, { many }) => sum + many, 0),
  };
}

/** Marks one of the caller's own files as deleted, which stops its job. Its parts stay until `deleteParts`. */
export async function remove(scope: AccountScope, id: string): Promise<boolean> {
  const { rowCount } = await scope.db.update(files).set({ status: 'deleted', linkHash: null }).where(isOwn(scope, id));
  return rowCount === 1;
}

/** Stores a link to one of the caller's own files, replacing the previous one. Returns false if the file isn't finished. */
export async function setLink(scope: AccountScope, id: string, link: { hash: Buffer; until: Date }): Promise<boolean> {
  const { rowCount } = await scope.db
    .update(files)
    .set({ linkHash: link.hash, linkUntil: link.until })
    .where(and(isOwn(scope, id), eq(files.status, 'done')));
  return rowCount === 1;
}

/** Returns the file of a link and uses up the link. */
export async function takeLink(
  scope: AccountScope,
  { id, hash }: { readonly id: string; readonly hash: Buffer },
): Promise<Pick<ExportRow, 'userId' | 'content' | 'format' | 'contacts' | 'name' | 'parts' | 'size'> | undefined> {
  const { accountId, db, now } = scope;
  const isGood = [eq(files.accountId, accountId), eq(files.id, id), eq(files.linkHash, hash), gt(files.linkUntil, now), isAvailable(scope)];
  const [row] = await db
    .update(files)
    .set({ linkHash: null })
    .where(and(...isGood, eq(files.status, 'done')))
    .returning();
  return row;
}

/** Returns a part of a file by its number, from 0. */
export async function part({ accountId, db }: AccountScope, id: string, number: number): Promise<Buffer | undefined> {
  const [row] = await db
    .select({ bytes: exportParts.bytes })
    .from(exportParts)
    .where(and(eq(exportParts.accountId, accountId), eq(exportParts.exportId, id), eq(exportParts.number, number)));
  return row?.bytes;
}

/** Returns one of the actor's files that isn't finished yet. */
export async function unfinished(scope: AccountScope, id: string): Promise<ExportRow | undefined> {
  const [row] = await scope.db
    .select()
    .from(files)
    .where(and(isOwn(scope, id), UNFINISHED));
  return row;
}

/** Marks a file as running, with its expected number of rows, if known. */
export async function begin(scope: AccountScope, id: string, expected: number | null): Promise<void> {
  await scope.db
    .update(files)
    .set({ status: 'running', expected, touched: scope.now })
    .where(and(isOwn(scope, id), UNFINISHED));
}

/** The next bytes of a file, the number of rows in them, and the file's progress after them. */
export interface ExportPiece {
  readonly bytes: Uint8Array;
  readonly rows: number;
  readonly progress: ExportProgress;
  readonly isLast: boolean;
}

/** Adds a part to a file. Returns false if the file was deleted since it was read, or another process has added that part. */
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
    .where(and(isOwn(scope, before.id), UNFINISHED, eq(files.parts, before.parts)));
  if (rowCount !== 1) return false;
  await db.insert(exportParts).values({ accountId, exportId: before.id, number: before.parts, bytes: Buffer.from(bytes) });
  return true;
}

/** Fails all files that may contain an erased answer: those that were written to since (UTC ms). */
export const failErased = (scope: AccountScope, since: number): Promise<void> => failAll(scope, gte(files.touched, new Date(since)));

/** Fails all archives, which contain the account's requests to customers. */
export const failArchives = (scope: AccountScope): Promise<void> => failAll(scope, eq(files.content, 'account'));

async function failAll(scope: AccountScope, condition: SQL): Promise<void> {
  await scope.db
    .update(files)
    .set({ status: 'failed', failure: 'erased', linkHash: null, touched: scope.now })
    .where(and(eq(files.accountId, scope.accountId), ne(files.status, 'failed'), condition, isAvailable(scope)));
}

/** Marks a file as failed, with the reason. */
export async function fail(scope: AccountScope, id: string, failure: ExportFailure): Promise<void> {
  await scope.db
    .update(files)
    .set({ status: 'failed', failure, touched: scope.now })
    .where(and(isOwn(scope, id), UNFINISHED));
}

export interface NamedExport {
  readonly accountId: string;
  readonly userId: string;
  readonly id: string;
}

/** Returns files of all accounts that are deleted or were finished before a time. */
export function expiredOrDeleted({ db }: OperatorScope, before: Date): Promise<NamedExport[]> {
  return db
    .select({ accountId: files.accountId, userId: files.userId, id: files.id })
    .from(files)
    .where(or(lt(files.touched, before), eq(files.status, 'deleted')));
}

/** Returns unfinished files of all accounts that weren't written to since a time, because their job is gone. */
export function stalled({ db }: OperatorScope, since: Date): Promise<NamedExport[]> {
  return db
    .select({ accountId: files.accountId, userId: files.userId, id: files.id })
    .from(files)
    .where(and(UNFINISHED, lt(files.touched, since)));
}

/** Deletes one batch of a file's parts, and its row once none are left. Returns whether there may be more. */
export async function deleteParts({ accountId, db }: AccountScope, id: string, most: number): Promise<boolean> {
  const isOfFile = and(eq(exportParts.accountId, accountId), eq(exportParts.exportId, id));
  if ((await deleteSome(db, exportParts, isOfFile, most)) > 0) return true;
  await db.delete(files).where(and(eq(files.accountId, accountId), eq(files.id, id)));
  return false;
}

/** Returns the ids of all files of the account. */
export async function all({ accountId, db }: AccountScope): Promise<string[]> {
  const rows = await db.select({ id: files.id }).from(files).where(eq(files.accountId, accountId));
  return rows.map(({ id }) => id);
}

const UNFINISHED = sql`status in ('waiting', 'running')`;

/** Returns a condition for files that are neither deleted nor expired. Unfinished files never expire. */
const isAvailable = ({ now }: AccountScope): SQL | undefined =>
  and(ne(files.status, 'deleted'), or(UNFINISHED, gt(files.touched, new Date(now.getTime() - EXPORT_RETENTION))));

const isOwn = (scope: AccountScope, id: string): SQL | undefined =>
  and(eq(files.accountId, scope.accountId), eq(files.id, id), eq(files.userId, scope.actor), isAvailable(scope));

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
    ...(row.status === 'done' && { size: row.size, until: row.touched.getTime() + EXPORT_RETENTION }),
    ...(row.failure !== null && { failure: row.failure }),
  },
});

function statusOf({ status }: ExportRow): ExportedFile['data']['status'] {
  if (status === 'deleted') throw new Error('A deleted export was shown');
  return status;
}
