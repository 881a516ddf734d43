import pg from 'pg';
import * as v from 'valibot';
import { isDuplicate } from '../database.ts';
import { appliedMigrations, knownMigrations } from '../migrations.ts';
import { nameOf, type StoredTable, sqlOf, tablesOf } from './catalog.ts';
import { type BackupContents, BackupError, CONTENTS, FORMAT, type TableContents } from './format.ts';
import { checkParts, copyAll } from './restoring.ts';
import { countIn, inSnapshot, packJson, packTable, writeWhole } from './taking.ts';

/* One account on its way to another installation: a .tar.gz as a backup is, with the rows of that account and its people. */

const HEADER = 'account.json';

/** Tables whose rows go along, each behind those that its rows point to. */
export const MOVING = [
  ...[
    'account',
    'subscription',
    'billing_reference',
    'billing_notice',
    'user',
    'identity_user',
    'property',
    'form',
    'form_version',
    'tool',
    'tag',
  ],
  ...['feedback', 'feedback_day', 'feedback_tally', 'feedback_reader', 'feedback_mark', 'comment', 'message', 'saved_view'],
  ...['view', 'view_quarter', 'report', 'event'],
];

/** Tables of accounts that stay: what is on its way to somebody, and what only the old installation's secret opens. */
export const STAYING = [
  ...['alert', 'alert_escalation', 'alert_link', 'alert_recipient', 'notification', 'delivery'],
  ...['export', 'export_part', 'push_device', 'webhook', 'webhook_delivery', 'billing_event'],
];

const header = v.object({
  format: v.literal(FORMAT),
  product: v.string(),
  /** ISO 8601, UTC. */
  made: v.pipe(v.string(), v.isoTimestamp()),
  migrations: v.array(v.string()),
  tables: v.record(v.string(), v.array(v.string())),
  accountId: v.pipe(v.string(), v.regex(/^ACCOUNT_\w{1,60}$/)),
});

/** A packed account that was read to its end, and is what it says. */
export interface PackedAccount {
  readonly file: string;
  readonly header: v.InferOutput<typeof header>;
  readonly contents: BackupContents;
}

interface PackOptions {
  /** Not there yet. */
  readonly file: string;
  readonly accountId: string;
  /** The version of the product. */
  readonly product: string;
  readonly now: () => number;
}

/** Writes an account with its people to a file, as it is at one moment. `owner` is a connection as the role that owns the tables. */
export const packAccount = (owner: pg.Client, { file, accountId, product, now }: PackOptions): Promise<BackupContents> =>
  writeWhole(file, (pack) =>
    inSnapshot(owner, async () => {
      const tables = await movingTables(owner);
      await packJson(pack, HEADER, {
        format: FORMAT,
        product,
        made: new Date(now()).toISOString(),
        migrations: await appliedMigrations(owner),
        tables: Object.fromEntries(tables.map((table) => [nameOf(table), table.columns])),
        accountId,
      } satisfies PackedAccount['header']);
      const written: Record<string, TableContents> = {};
      for (const table of tables) written[nameOf(table)] = await packTable(owner, pack, table, isOf(table, accountId));
      const contents: BackupContents = { tables: written, sequences: {} };
      await packJson(pack, CONTENTS, contents);
      pack.finalize();
      return contents;
    }),
  );

/** In the order in which they go along. */
async function movingTables(owner: pg.Client): Promise<StoredTable[]> {
  const stored = new Map((await tablesOf(owner)).map((table) => [nameOf(table), table]));
  return MOVING.flatMap((name) => stored.get(`public.${name}`) ?? []);
}

function isOf({ name }: Pick<StoredTable, 'name'>, accountId: string): string {
  const account = pg.escapeLiteral(accountId);
  if (name === 'account') return `id = ${account}`;
  if (name === 'identity_user') return `'USER_' || sub::text in (select id from public."user" where account_id = ${account})`;
  return `account_id = ${account}`;
}

/** Reads a packed account. Throws a `BackupError` where it is damaged, or of another version than this one. */
export async function checkPacked(file: string): Promise<PackedAccount> {
  const packed = await checkParts(file, { name: HEADER, schema: header }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new BackupError(`There is no file ${file}.`);
    throw new BackupError(`${file} is no account that was packed, or not a whole one.`, { cause: error });
  });
  const known = knownMigrations();
  const { migrations, product } = packed.header;
  if (migrations.length !== known.length || !migrations.every((hash, place) => hash === known[place]))
    throw new BackupError(`The account was packed by another version of Afterword, ${product}. Bring both installations to the same one.`);
  return packed;
}

interface UnpackOptions {
  readonly packed: PackedAccount;
  /** Addresses, in lower case, whose passwords are not taken over: who has one of them sets one by a mailed code. */
  readonly proving: readonly string[];
}

/**
 * Adds a packed account, all of it or nothing, under its ids. Throws a `BackupError` where the account, or somebody's address, is
 * there already, or the file holds rows of others.
 */
export async function unpackAccount(owner: pg.Client, { packed, proving }: UnpackOptions): Promise<void> {
  const { file, header: said, contents } = packed;
  const tables = new Map((await movingTables(owner)).map((table) => [nameOf(table), table]));
  await owner.query('begin');
  try {
    await owner.query('set local statement_timeout = 0');
    for (const table of tables.values())
      if ((await countIn(owner, table, isOf(table, said.accountId))) > 0) throw new BackupError(`${said.accountId} is there already.`);
    const copied = await copyAll(owner, file, (name) => {
      const table = tables.get(name);
      return table && { ...table, columns: said.tables[name] ?? [] };
    }).catch(refuseTaken);
    for (const name of new Set([...tables.keys(), ...Object.keys(contents.tables)]))
      await refuseOthers(owner, {
        table: tables.get(name),
        accountId: said.accountId,
        copied: copied.get(name) ?? 0,
        said: contents.tables[name]?.rows ?? 0,
      });
    await settleEvents(owner, said.accountId);
    await distrustAddresses(owner, said.accountId, proving);
    await owner.query('commit');
  } catch (error) {
    await owner.query('rollback');
    throw error;
  }
}

function refuseTaken(error: Error & { readonly table?: string }): never {
  if (!isDuplicate(error)) throw error;
  throw new BackupError(
    error.table === 'identity_user'
      ? 'Somebody of the account signs in here already with the same address. Change one of the two addresses first.'
      : `What is in the file is there already (${error.table}).`,
  );
}

interface CopiedRows {
  readonly table: StoredTable | undefined;
  readonly accountId: string;
  /** How many rows came out of the file, and how many it says that it holds. */
  readonly copied: number;
  readonly said: number;
}

/** What was copied is the account's, and all of it: the file may come from somebody else, and say of itself what it likes. */
async function refuseOthers(owner: pg.Client, { table, accountId, copied, said }: CopiedRows): Promise<void> {
  if (!table || copied !== said || (await countIn(owner, table, isOf(table, accountId))) !== copied)
    throw new BackupError(`The file holds rows that are not of ${accountId}${table ? ` (${sqlOf(table)})` : ''}.`);
}

/** What the file says of whose addresses are proved counts nowhere here: they are by the next code that is mailed there. */
async function distrustAddresses(owner: pg.Client, accountId: string, proving: readonly string[]): Promise<void> {
  await owner.query(
    `update public.identity_user
        set email_verified = false, status = case when email = any($1) then 'RESET_REQUIRED' else status end
      where ${isOf({ name: 'identity_user' }, accountId)}`,
    [proving],
  );
}

/** Whoever follows what happens has heard of it where it happened; what happens next comes after it. */
async function settleEvents(owner: pg.Client, accountId: string): Promise<void> {
  await owner.query('update public.event set relayed = true where account_id = $1 and not relayed', [accountId]);
  await owner.query(`
    select setval(pg_get_serial_sequence('public.event', 'id'), greatest(
      (select max(id) from public.event where account_id = ${pg.escapeLiteral(accountId)}),
      (select last_value from pg_sequences where schemaname = 'public' and sequencename = 'event_id_seq'), 1))`);
}
