import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, link, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type Pack, pack as packed } from 'tar-stream';
import { syncFolder } from '../../disk/durable-file.ts';
import { appliedMigrations } from '../database/migrations.ts';
import { installedQueue } from '../jobs/schema.ts';
import { columnsOf, nameOf, type StoredTable, sequencesOf, sqlOf, tablesOf } from './catalog.ts';
import { type BackupContents, BackupError, type BackupHeader, CONTENTS, FORMAT, HEADER, partName, type TableContents } from './format.ts';

interface TakingOptions {
  /** Not there yet. */
  readonly file: string;
  readonly secret: BackupHeader['secret'];
  /** The version of the product. */
  readonly product: string;
  readonly now: () => number;
  /** Told of each table when it is written. */
  readonly onTable: (name: string, contents: TableContents) => void;
}

/** What each table is cut into (bytes): a part is held in memory before it is written. */
const PART = 4 * 1024 * 1024;

/**
 * Writes everything that the database holds at one moment to a file, whole or not at all. `owner` is a connection as the role
 * that owns the tables. Throws a `BackupError` where the file is there already, or would hold less than the database.
 */
export const takeBackup = (owner: pg.Client, { file, ...options }: TakingOptions): Promise<BackupContents> =>
  writeWhole(file, (pack) => inSnapshot(owner, () => packAll(owner, pack, options)));

/** Packs a file, whole or not at all. Throws a `BackupError` where it is there already. */
async function writeWhole<T>(file: string, fill: (pack: Pack) => Promise<T>): Promise<T> {
  if (await isThere(file)) throw isKept(file);
  const unfinished = `${file}.unfinished`;
  await rm(unfinished, { force: true });
  try {
    const pack = packed();
    const writing = pipeline(pack, createGzip(), createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }));
    const [contents] = await Promise.all([fill(pack).catch(givingUp(pack)), writing]);
    await keep(unfinished, file);
    return contents;
  } finally {
    await rm(unfinished, { force: true });
  }
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

const isKept = (file: string): BackupError => new BackupError(`${file} is there already, and is not overwritten.`);

/** Ends the file as well, which would wait for more. */
const givingUp =
  (pack: Pack) =>
  (error: unknown): never => {
    pack.destroy();
    throw error;
  };

async function keep(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw isKept(file);
    throw error;
  }
  await syncFolder(path.dirname(path.resolve(file)));
}

/** Where a policy would keep a row from the owner, each statement fails rather than leaving it out. */
async function inSnapshot<T>(owner: pg.Client, work: () => Promise<T>): Promise<T> {
  await owner.query('begin transaction isolation level repeatable read read only');
  try {
    await owner.query('set local row_security = off; set local statement_timeout = 0');
    return await work();
  } finally {
    await owner.query('rollback');
  }
}

async function packAll(owner: pg.Client, pack: Pack, options: Omit<TakingOptions, 'file'>): Promise<BackupContents> {
  const tables = await tablesOf(owner);
  const queue = await installedQueue(owner);
  if (tables.length === 0 || !queue) throw new BackupError('The database holds no Afterword.');
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
  const written: Record<string, TableContents> = {};
  for (const table of tables) {
    const each = await packTable(owner, pack, table);
    written[nameOf(table)] = each;
    onTable(nameOf(table), each);
  }
  const contents: BackupContents = { tables: written, sequences: await sequencesOf(owner) };
  await packJson(pack, CONTENTS, contents);
  pack.finalize();
  return contents;
}

const packJson = (pack: Pack, name: string, value: object): Promise<void> =>
  packEntry(pack, name, Buffer.from(`${JSON.stringify(value, null, 1)}\n`));

async function packTable(owner: pg.Client, pack: Pack, table: StoredTable): Promise<TableContents> {
  const hash = createHash('sha256');
  let [bytes, part, held, gathered]: [number, number, number, Buffer[]] = [0, 0, 0, []];
  const flush = async (): Promise<void> => {
    if (held > 0) await packEntry(pack, partName(nameOf(table), part), Buffer.concat(gathered));
    [part, held, gathered] = [part + 1, 0, []];
  };
  const rows = owner.query(copyTo(`copy (select ${columnsOf(table)} from ${sqlOf(table)}) to stdout`));
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    hash.update(chunk);
    gathered.push(chunk);
    [bytes, held] = [bytes + chunk.length, held + chunk.length];
    if (held >= PART) await flush();
  }
  await flush();
  const stored = await countIn(owner, table);
  if (rows.rowCount !== stored) throw new BackupError(`Of ${nameOf(table)} ${rows.rowCount} rows were read, and ${stored} are there.`);
  return { rows: stored, bytes, sha256: hash.digest('hex') };
}

async function countIn(owner: pg.Client, table: StoredTable): Promise<number> {
  const { rows } = await owner.query<{ count: string }>(`select count(*) from ${sqlOf(table)}`);
  return Number(rows[0]?.count);
}

/** Resolves when the file has taken it: what is held in memory is one part. */
const packEntry = (pack: Pack, name: string, content: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    pack.entry({ name, size: content.length }, (error) => (error ? reject(error) : resolve())).end(content);
  });
