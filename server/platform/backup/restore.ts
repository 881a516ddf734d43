import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { finished, pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { extract } from 'tar-stream';
import * as v from 'valibot';
import { appliedMigrations, applyMigrations, inTransaction, migrationHashes, withMigrationLock } from '../database/migrations.ts';
import { migrateJobs, QUEUE_VERSION } from '../jobs/schema.ts';
import { columnsOf, nameOf, type SequenceColumn, type StoredTable, sequenceColumnsOf, sqlOf, tablesOf } from './catalog.ts';
import { type BackupContents, BackupError, type BackupHeader, CONTENTS, contents, HEADER, header, tableOfPart } from './format.ts';

/** A backup that was read completely and verified. */
interface CheckedBackup {
  readonly file: string;
  readonly header: BackupHeader;
  readonly contents: BackupContents;
}

/** A file in the backup. The next one is available once this one was read. */
interface BackupEntry extends AsyncIterable<Buffer> {
  readonly header: { readonly name: string };
  /** Skips it. */
  resume(): unknown;
}

/** Returns a verified backup. Throws a `BackupError` if it's damaged or of a newer version. */
export async function checkBackup(file: string): Promise<CheckedBackup> {
  try {
    return await check(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new BackupError(`There is no file ${file}.`);
    throw error instanceof BackupError ? error : incomplete(file, error);
  }
}

async function check(file: string): Promise<CheckedBackup> {
  const parts: { header?: BackupHeader; contents?: BackupContents } = {};
  const hashes = new Map<string, Hash>();
  for await (const entry of entriesOf(file)) {
    const table = tableOfPart(entry.header.name);
    if (entry.header.name === HEADER) parts.header = await jsonOf(entry, header, file);
    else if (entry.header.name === CONTENTS) parts.contents = await jsonOf(entry, contents, file);
    else await read(entry, table === undefined ? createHash('sha256') : hashOf(hashes, table));
  }
  const { header: first, contents: last } = parts;
  if (!first || !last) throw incomplete(file);
  for (const [table, { sha256, rows }] of Object.entries(last.tables)) {
    const digest = hashes.get(table)?.digest('hex');
    if (rows > 0 ? digest !== sha256 : digest !== undefined) throw incomplete(file);
  }
  for (const table of hashes.keys()) if (!last.tables[table]) throw incomplete(file);
  refuseNewer(first);
  return { file, header: first, contents: last };
}

const incomplete = (file: string, cause?: unknown): BackupError =>
  new BackupError(`${file} is not a complete backup of Afterword.`, { cause });

function refuseNewer({ migrations, queue, product }: BackupHeader): void {
  const available = migrationHashes();
  const isSupported = migrations.every((hash, index) => hash === available[index]) && queue.version <= QUEUE_VERSION;
  if (!isSupported) throw new BackupError(`The backup was made by another version of Afterword, ${product}, which this one can't restore.`);
  if (queue.version < QUEUE_VERSION)
    throw new BackupError(`The backup was made by Afterword ${product}, whose queue is older. Restore it with that version, then upgrade.`);
}

function hashOf(hashes: Map<string, Hash>, table: string): Hash {
  const hash = hashes.get(table) ?? createHash('sha256');
  hashes.set(table, hash);
  return hash;
}

async function* entriesOf(file: string): AsyncGenerator<BackupEntry> {
  const entries = extract();
  const reading = pipeline(createReadStream(file), createGunzip(), entries);
  // Iterating over the entries throws the pipeline's error.
  reading.catch(() => undefined);
  yield* entries as unknown as AsyncIterable<BackupEntry>;
  await reading;
}

async function read(entry: BackupEntry, hash: Hash): Promise<void> {
  for await (const chunk of entry) hash.update(chunk);
}

async function jsonOf<Schema extends v.GenericSchema>(entry: BackupEntry, schema: Schema, file: string): Promise<v.InferOutput<Schema>> {
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk);
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), Buffer.concat(chunks).toString('utf8'));
  if (!result.success) throw incomplete(file);
  return result.output;
}

/**
 * Restores a backup into an empty database and migrates it. `owner` is a connection as the role that owns the tables, or will.
 * Throws a `BackupError` if the database has data or the backup has a value that this version can't work with.
 */
export async function restoreBackup(owner: pg.Client, backup: CheckedBackup): Promise<void> {
  await refuseUsed(owner);
  await withMigrationLock(owner, async () => {
    await refuseNonempty(owner, backup.header);
    await inTransaction(owner, () => applyMigrations(owner, backup.header.migrations.length));
    await migrateJobs(owner, backup.header.queue.names);
    await inTransaction(owner, async () => {
      await owner.query('set local statement_timeout = 0');
      await fill(owner, backup);
      await applyMigrations(owner);
      await validate(owner);
      await refuseTimelessJobs(owner);
      // Without statistics, the planner reads a whole account to find a row, until autovacuum has collected them.
      await owner.query('analyze');
    }).catch(refuseValue);
  });
}

/** Throws a `BackupError` for PostgreSQL's error about a row, without quoting the row. */
function refuseValue(error: unknown): never {
  // Class 22 is "data exception", 23 "integrity constraint violation".
  if (!(error instanceof pg.DatabaseError) || !/^2[23]/.test(error.code ?? '')) throw error;
  const place = /^COPY \w+, line \d+(?:, column \w+)?/.exec(error.where ?? '')?.[0].slice('COPY '.length) ?? error.table;
  const detail = [place, error.constraint].filter(Boolean).join(': ');
  throw new BackupError(`The backup has a value that Afterword can't work with (${detail}).`, { cause: error });
}

async function refuseUsed(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ connections: number }>(`
    select count(*)::integer as connections from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
       -- A cluster's servers look at each other.
       and application_name not like 'citus\\_internal%'`);
  const connections = rows[0]?.connections ?? 0;
  if (connections > 0) throw new BackupError(`The database is in use (${connections} connections). Stop the programs that use it first.`);
}

/** Tables that must be empty. */
const REQUIRED_EMPTY = ['account', '"user"', 'identity_user', 'feedback'];

async function refuseNonempty(owner: pg.Client, { migrations }: BackupHeader): Promise<void> {
  const applied = await appliedMigrations(owner);
  const tables = (await tablesOf(owner)).filter(({ schema }) => schema === 'public');
  if (applied.length === 0 && tables.length > 0) throw new BackupError(`The database has other tables (such as ${tables[0]?.name}).`);
  for (const table of applied.length > 0 ? REQUIRED_EMPTY : []) {
    const { rows } = await owner.query<{ full: boolean }>(`select exists (select from ${table}) as full`);
    if (rows[0]?.full) throw new BackupError('The database already has people or feedback. Restore into an empty one.');
  }
  if (applied.length > migrations.length)
    throw new BackupError('The database was set up by a newer version than the backup. Restore into a new one.');
}

/** Fills the tables. Foreign keys are dropped before and created again afterwards, which checks them. */
async function fill(
  owner: pg.Client,
  { file, header: { tables: columns }, contents: { tables, sequences } }: CheckedBackup,
): Promise<void> {
  const targets = new Map((await tablesOf(owner)).map((table) => [nameOf(table), table]));
  const keys = await foreignKeysOf(owner);
  for (const { table, name } of keys) await owner.query(`alter table ${table} drop constraint ${name}`);
  await owner.query(`truncate ${[...targets.values()].map(sqlOf).join(', ')} cascade`);
  await copyAll(owner, file, (name) => {
    const table = targets.get(name);
    return table && { ...table, columns: columns[name] ?? [] };
  });
  for (const [name, { rows }] of Object.entries(tables)) await compare(owner, { table: targets.get(name), name, rows });
  for (const { table, name, definition } of keys) await owner.query(`alter table ${table} add constraint ${name} ${definition}`);
  for (const counter of await sequenceColumnsOf(owner)) await setCounter(owner, counter, sequences[counter.name] ?? null);
}

/** Half of JavaScript's exact integers, which end at 2⁵³. */
const HIGHEST_COUNT = 2n ** 52n;

/** Sets a sequence to the backup's last number. Throws a `BackupError` if that's behind its rows or leaves no room for new ones. */
async function setCounter(owner: pg.Client, { name, sequence, table, column }: SequenceColumn, last: string | null): Promise<void> {
  const { rows } = await owner.query<{ highest: string | null }>(`select max(${column})::text as highest from ${table}`);
  const highest = rows[0]?.highest ?? null;
  if (BigInt(last ?? 0) < BigInt(highest ?? 0))
    throw new BackupError(`The backup's counter ${name} is at ${last ?? 0}, behind its rows, which are at ${highest}.`);
  if (BigInt(last ?? 0) > HIGHEST_COUNT)
    throw new BackupError(`The backup's counter ${name} is at ${last}, which leaves no room for new rows.`);
  if (last !== null) await owner.query('select setval($1::regclass, $2::bigint)', [sequence, last]);
}

/** Validates constraints that were added as `not valid`, for rows of an older version. */
async function validate(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ table: string; name: string }>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name
      from pg_constraint where not convalidated and connamespace = 'public'::regnamespace`);
  for (const { table, name } of rows) await owner.query(`alter table ${table} validate constraint ${name}`);
}

/** Refuses jobs with infinite times, which would never run or break lists; the queue's table has no such check. */
async function refuseTimelessJobs(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query(`
    select from pgboss.job
     where not isfinite(created_on) or not isfinite(start_after) or not isfinite(started_on) or not isfinite(completed_on)
        or not isfinite(keep_until) limit 1`);
  if (rows.length > 0) throw new BackupError("The backup holds a job with a time that Afterword can't work with.");
}

async function foreignKeysOf(owner: pg.Client): Promise<{ table: string; name: string; definition: string }[]> {
  const { rows } = await owner.query(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`);
  return rows;
}

/** Copies all rows. The parts of a table are consecutive. */
async function copyAll(owner: pg.Client, file: string, tableOf: (name: string) => StoredTable | undefined): Promise<void> {
  let open: (Copy & { readonly name: string }) | undefined;
  for await (const entry of entriesOf(file)) {
    const name = tableOfPart(entry.header.name);
    const table = name === undefined ? undefined : tableOf(name);
    if (name === undefined || !table) {
      entry.resume();
      continue;
    }
    if (open?.name !== name) {
      await open?.end();
      open = { name, ...openCopy(owner, table) };
    }
    for await (const chunk of entry) await open.write(chunk);
  }
  await open?.end();
}

interface Copy {
  write(chunk: Buffer): Promise<void>;
  /** Resolves when the rows are stored. */
  end(): Promise<void>;
}

/** Returns a copy that writes one chunk at a time, because pg-copy-streams can't write once PostgreSQL has refused a row. */
function openCopy(owner: pg.Client, table: StoredTable): Copy {
  const sink = owner.query(copyFrom(`copy ${sqlOf(table)} (${columnsOf(table)}) from stdin`));
  const failure = once(sink, 'error').then(([error]) => {
    throw error;
  });
  failure.catch(() => undefined);
  const unlessRefused = (work: Promise<void>): Promise<void> => Promise.race([failure, work]);
  return {
    async write(chunk) {
      await unlessRefused(Promise.resolve());
      await unlessRefused(new Promise((resolve) => sink.write(chunk, () => resolve())));
    },
    async end() {
      await unlessRefused(Promise.resolve());
      sink.end();
      await unlessRefused(finished(sink));
    },
  };
}

async function compare(
  owner: pg.Client,
  { table, name, rows }: { table: StoredTable | undefined; name: string; rows: number },
): Promise<void> {
  const result = table ? await owner.query<{ count: string }>(`select count(*) from ${sqlOf(table)}`) : undefined;
  const count = Number(result?.rows[0]?.count ?? 0);
  if (count !== rows) throw new BackupError(`${count} of ${rows} rows of ${name} were restored.`);
}
