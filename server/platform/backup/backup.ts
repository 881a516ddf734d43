import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { pack as createPack, type Pack } from 'tar-stream';
import { writeOnce } from '../../disk/durable-file.ts';
import { appliedMigrations } from '../database/migrations.ts';
import { installedQueue } from '../jobs/schema.ts';
import { columnsOf, nameOf, type StoredTable, sequencesOf, sqlOf, tablesOf } from './catalog.ts';
import { type BackupContents, BackupError, type BackupHeader, CONTENTS, FORMAT, HEADER, partName, type TableContents } from './format.ts';

interface BackupOptions {
  /** Must not exist yet. */
  readonly file: string;
  readonly secret: BackupHeader['secret'];
  /** The version of the product. */
  readonly product: string;
  readonly now: () => number;
  /** Called after each table is written. */
  readonly onTable: (name: string, contents: TableContents) => void;
}

/** Size of the parts that tables are split into (bytes); each is buffered in memory. */
const PART = 4 * 1024 * 1024;

/**
 * Writes a snapshot of the database to a file, completely or not at all. `owner` is a connection as the role that owns the tables.
 * Throws `FileExists` if the file exists, and a `BackupError` if it would miss rows.
 */
export const takeBackup = (owner: pg.Client, { file, ...options }: BackupOptions): Promise<BackupContents> =>
  writeArchive(file, (pack) => inSnapshot(owner, () => packAll(owner, pack, options)));

/** Writes an archive, completely or not at all. */
const writeArchive = <T>(file: string, fill: (pack: Pack) => Promise<T>): Promise<T> =>
  writeOnce(file, async (unfinished) => {
    const pack = createPack();
    const writing = pipeline(pack, createGzip(), createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }));
    const [contents] = await Promise.all([fill(pack).catch(destroyAndThrow(pack)), writing]);
    return contents;
  });

/** Ends the file too, which would wait for more data. */
const destroyAndThrow =
  (pack: Pack) =>
  (error: unknown): never => {
    pack.destroy();
    throw error;
  };

/** Runs `work` in a snapshot, where a statement fails instead of omitting rows that a policy hides from the owner. */
async function inSnapshot<T>(owner: pg.Client, work: () => Promise<T>): Promise<T> {
  await owner.query('begin transaction isolation level repeatable read read only');
  try {
    await owner.query('set local row_security = off; set local statement_timeout = 0');
    return await work();
  } finally {
    // A lost connection has rolled back already.
    await owner.query('rollback').catch(() => undefined);
  }
}

async function packAll(owner: pg.Client, pack: Pack, options: Omit<BackupOptions, 'file'>): Promise<BackupContents> {
  const tables = await tablesOf(owner);
  const queue = await installedQueue(owner);
  if (tables.length === 0 || !queue) throw new BackupError("The database doesn't contain Afterword.");
  const { secret, product, now, onTable } = options;
  await packJson(pack, HEADER, {
    format: FORMAT,
    product,
    made: new Date(now()).toISOString(),
    migrations: await appliedMigrations(owner),
    tables: Object.fromEntries(tables.map((table) => [nameOf(table), table.columns])),
    queue,
    secret,
  } satisfies BackupHeader);
  const contentsByTable: Record<string, TableContents> = {};
  for (const table of tables) {
    const tableContents = await packTable(owner, pack, table);
    contentsByTable[nameOf(table)] = tableContents;
    onTable(nameOf(table), tableContents);
  }
  const contents: BackupContents = { tables: contentsByTable, sequences: await sequencesOf(owner) };
  await packJson(pack, CONTENTS, contents);
  pack.finalize();
  return contents;
}

const packJson = (pack: Pack, name: string, value: object): Promise<void> =>
  packEntry(pack, name, Buffer.from(`${JSON.stringify(value, null, 1)}\n`));

async function packTable(owner: pg.Client, pack: Pack, table: StoredTable): Promise<TableContents> {
  const hash = createHash('sha256');
  let [bytes, part, size, chunks]: [number, number, number, Buffer[]] = [0, 0, 0, []];
  const flush = async (): Promise<void> => {
    if (size > 0) await packEntry(pack, partName(nameOf(table), part), Buffer.concat(chunks));
    [part, size, chunks] = [part + 1, 0, []];
  };
  const rows = owner.query(copyTo(`copy (select ${columnsOf(table)} from ${sqlOf(table)}) to stdout`));
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    hash.update(chunk);
    chunks.push(chunk);
    [bytes, size] = [bytes + chunk.length, size + chunk.length];
    if (size >= PART) await flush();
  }
  await flush();
  const stored = await countIn(owner, table);
  if (rows.rowCount !== stored) throw new BackupError(`Only ${rows.rowCount} of ${stored} rows of ${nameOf(table)} were read.`);
  return { rows: stored, bytes, sha256: hash.digest('hex') };
}

async function countIn(owner: pg.Client, table: StoredTable): Promise<number> {
  const { rows } = await owner.query<{ count: string }>(`select count(*) from ${sqlOf(table)}`);
  return Number(rows[0]?.count);
}

/** Resolves once the entry is written, so that only one part is in memory. */
const packEntry = (pack: Pack, name: string, content: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    pack.entry({ name, size: content.length }, (error) => (error ? reject(error) : resolve())).end(content);
  });
