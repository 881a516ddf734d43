import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { MINUTE } from '#contract/core/time.ts';
import { ACCOUNT_ID, dana, sam } from '#fixtures/business.ts';
import { openTestApp, SAMPLE_PASSWORD, type TestApp } from '../../../test/support/app.ts';
import { inDatabase, query } from '../../../test/support/global.ts';
import { oneTimePassword } from '../../../test/support/one-time-password.ts';
import { setUpApp } from '../../../test/support/operator.ts';
import { submission } from '../../../test/support/submission.ts';
import { FileExists } from '../../disk/durable-file.ts';
import { JOBS } from '../../jobs.ts';
import type { ConnectionSettings } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { appliedMigrations, applyMigrations, migrationHashes } from '../database/migrations.ts';
import { migrateJobs } from '../jobs/schema.ts';
import { takeBackup } from './backup.ts';
import { BackupError, type TableContents } from './format.ts';
import { checkBackup, restoreBackup } from './restore.ts';

/* Restores into other databases as an owner that isn't a superuser, like the role that the README creates. */

const IDENTITY_SECRET = 'the same before and after the disk was lost';
const OWNER = `afterword_keeper_${process.pid}`;
const HOSTILE = 'tab\there, line\nthere, \\N and \\. and \\\\ “quotes” ☕ 日本 ‮moc';

let folder: string;
let app: TestApp;
let totp: string;
const databases: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'afterword-backup-'));
  await query(inject('owner'), `create role ${OWNER} login createrole password 'of-a-test'`);
  await query(inject('owner'), `grant afterword_app, afterword_intake, afterword_finder to ${OWNER} with admin option`);
  app = await openTestApp({ settings: { IDENTITY_SECRET } });
  totp = await setUpApp(app, await app.signIn(sam.data.emailAddress));
  await saveFeedback(HOSTILE);
});
afterAll(async () => {
  await app.stop();
  for (const name of databases) {
    await query(inject('owner'), `drop database if exists ${name} with (force)`);
    await query(inject('owner'), `drop role if exists afterword_app_${name}`);
  }
  await query(inject('owner'), `drop owned by ${OWNER} cascade; drop role ${OWNER}`);
  await rm(folder, { recursive: true });
});

const saveFeedback = async (text: string): Promise<void> => {
  expect((await app.call('feedback', 'save', submission({ rating: 2, text }))).status).toBe(200);
};

/** Creates an empty database whose owner isn't a superuser. */
async function emptyDatabase(): Promise<ConnectionSettings> {
  const name = `afterword_restored_${process.pid}_${databases.length}`;
  databases.push(name);
  await query(inject('owner'), `create database ${name} owner ${OWNER}`);
  const { connectionString, ...settings } = inDatabase(inject('owner'), name);
  if (connectionString === undefined) return { ...settings, user: OWNER, password: 'of-a-test' };
  const url = new URL(connectionString);
  [url.username, url.password] = [OWNER, 'of-a-test'];
  return { connectionString: url.href };
}

async function withClient<T>(connection: ConnectionSettings, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  return work(client).finally(() => client.end());
}

let count = 0;
async function backUp(owner: pg.Client): Promise<{ file: string; tables: Readonly<Record<string, TableContents>> }> {
  count += 1;
  const file = path.join(folder, `${count}.tar.gz`);
  const secret = { name: 'a secret' };
  const { tables } = await takeBackup(owner, { file, secret, product: '1.2.3', now: Date.now, onTable: () => undefined });
  return { file, tables };
}

async function backUpApp() {
  const owner = await app.connect();
  return backUp(owner).finally(() => owner.end());
}

const restore = (file: string, into: ConnectionSettings): Promise<void> =>
  withClient(into, async (owner) => restoreBackup(owner, await checkBackup(file)));

describe('a backup', () => {
  it('made while visitors rate is restored with every row of every table', async () => {
    const ratings = Promise.all(Array.from({ length: 40 }, (_, visitor) => saveFeedback(`Visitor ${visitor}`)));
    const { file, tables } = await backUpApp();
    await ratings;
    const [before] = await app.stored<{ rows: number }>(`select count(*)::integer as rows from feedback where text not like 'Visitor%'`);
    expect(tables['public.feedback']?.rows).toBeGreaterThanOrEqual(before?.rows ?? Number.NaN);
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const owner = await emptyDatabase();
    await restore(file, owner);
    const statistics = `select 1 from pg_stats where tablename = 'feedback' and attname = 'account_id'`;
    expect(await withClient(owner, async (client) => (await client.query(statistics)).rowCount)).toBe(1);
    // Backed up again with an owner that isn't a superuser.
    const working = await migrate({ owner, jobs: Object.keys(JOBS), allowVolatile: true });
    const again = await withClient(owner, backUp);
    expect(again.tables).toEqual(tables);
    const later = () => Date.now() + 5 * MINUTE;
    const restored = await openTestApp({ settings: { IDENTITY_SECRET, ROLES: 'web' }, clock: later, connectThrough: async () => working });
    try {
      const token = await restored.signIn(dana.data.emailAddress);
      const search = { accountId: ACCOUNT_ID, text: 'quotes' };
      const [before, after] = [
        await app.call('feedback', 'list', search, await app.signIn(dana.data.emailAddress)),
        await restored.call('feedback', 'list', search, token),
      ];
      expect(after.body.feedback).toHaveLength(1);
      expect(after.body).toEqual(before.body);
      const { body: challenge } = await restored.pool('InitiateAuth', {
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: sam.data.emailAddress, PASSWORD: SAMPLE_PASSWORD },
      });
      const { body: signedIn } = await restored.pool('RespondToAuthChallenge', {
        ChallengeName: challenge.ChallengeName,
        Session: challenge.Session,
        ChallengeResponses: { USERNAME: sam.data.emailAddress, SOFTWARE_TOKEN_MFA_CODE: oneTimePassword(totp, { now: later }) },
      });
      expect(signedIn.AuthenticationResult?.AccessToken).toBeTypeOf('string');
      // Sequences continue from the backup's last numbers.
      expect((await restored.call('feedback', 'save', submission({ rating: 1 }))).status).toBe(200);
    } finally {
      await restored.stop();
    }
  });

  it('contains every row of every table', async () => {
    const rowsOf = async () => {
      const names = await app.stored<{ name: string }>(`select 'public.' || tablename as name from pg_tables where schemaname = 'public'`);
      const counts = names.map(async ({ name }) => {
        const [row] = await app.stored<{ rows: number }>(`select count(*)::integer as rows from ${name.replace('.', '."')}"`);
        return [name, row?.rows] as const;
      });
      return Object.fromEntries(await Promise.all(counts));
    };
    // Jobs run during the backup, so it's compared only if nothing changed during it.
    for (;;) {
      const before = await rowsOf();
      const { tables } = await backUpApp();
      const after = await rowsOf();
      if (JSON.stringify(before) !== JSON.stringify(after)) continue;
      const { 'pgboss.job': jobs, ...rest } = tables;
      expect(jobs?.rows).toBeGreaterThan(0);
      expect(Object.fromEntries(Object.entries(rest).map(([name, { rows }]) => [name, rows]))).toEqual(after);
      return;
    }
  });

  it('that would miss rows fails, and leaves no file', async () => {
    const owner = await emptyDatabase();
    await restore((await backUpApp()).file, owner);
    await withClient(owner, async (client) => {
      await client.query('alter table feedback force row level security');
      await expect(backUp(client)).rejects.toThrow(/row-level security/);
      await expect(stat(path.join(folder, `${count}.tar.gz`))).rejects.toThrow(/ENOENT/);
      await expect(stat(path.join(folder, `${count}.tar.gz.unfinished`))).rejects.toThrow(/ENOENT/);
    });
  });

  it('does not overwrite a file', async () => {
    const { file } = await backUpApp();
    const content = await readFile(file);
    count -= 1;
    await expect(backUpApp()).rejects.toThrow(FileExists);
    expect(await readFile(file)).toEqual(content);
  });
});

describe('restoring', () => {
  it('refuses a database that has people, is in use, or has other tables, and changes nothing', async () => {
    const { file } = await backUpApp();
    const owner = await emptyDatabase();
    await restore(file, owner);
    await expect(restore(file, owner)).rejects.toThrow(/already has people/);
    await withClient(owner, () => expect(restore(file, owner)).rejects.toThrow(/in use \(1 connections\)/));
    const otherDatabase = await emptyDatabase();
    await withClient(otherDatabase, (client) => client.query('create table invoice (id integer)'));
    await expect(restore(file, otherDatabase)).rejects.toThrow(/other tables \(such as invoice\)/);
    expect(
      (await withClient(otherDatabase, (client) => client.query('select * from pg_namespace where nspname = $1', ['drizzle']))).rowCount,
    ).toBe(0);
  });

  it('refuses a damaged, truncated or unrelated file before changing anything', async () => {
    const { file } = await backUpApp();
    const damaged = async (name: string, change: (copy: string) => Promise<unknown>): Promise<string> => {
      const copy = path.join(folder, name);
      await writeFile(copy, await readFile(file));
      await change(copy);
      return copy;
    };
    const { size } = await stat(file);
    const flipped = await readFile(file);
    flipped[Math.floor(size / 2)] = (flipped[Math.floor(size / 2)] ?? 0) ^ 1;
    const owner = await emptyDatabase();
    for (const wrong of [
      await damaged('cut', (copy) => truncate(copy, size - 400)),
      await damaged('flipped', (copy) => writeFile(copy, flipped)),
      await damaged('other', (copy) => writeFile(copy, 'hello')),
      await damaged('unpacked', (copy) => pipeline(createReadStream(file), createGunzip(), createWriteStream(copy))),
    ])
      await expect(restore(wrong, owner)).rejects.toThrow(/not a complete backup of Afterword/);
    await expect(restore(path.join(folder, 'missing'), owner)).rejects.toThrow(/no file/);
    expect((await withClient(owner, (client) => client.query(`select * from pg_tables where schemaname = 'public'`))).rowCount).toBe(0);
  });

  it('can be repeated on the same database after a failure', async () => {
    const { file } = await backUpApp();
    const owner = await emptyDatabase();
    const backup = await checkBackup(file);
    const { 'public.feedback': feedback = { rows: 0, bytes: 0, sha256: '' } } = backup.contents.tables;
    const tables = { ...backup.contents.tables, 'public.feedback': { ...feedback, rows: feedback.rows + 1 } };
    await expect(
      withClient(owner, (client) => restoreBackup(client, { ...backup, contents: { ...backup.contents, tables } })),
    ).rejects.toThrow(/rows of public.feedback were restored/);
    expect((await withClient(owner, (client) => client.query('select * from account'))).rowCount).toBe(0);
    await restore(file, owner);
    expect((await withClient(owner, (client) => client.query('select * from account'))).rowCount).toBe(1);
  });

  /** Restores a changed copy of the app's database, and returns the error message and the number of accounts afterwards. */
  async function restoreChanged(...changes: string[]): Promise<{ reason: string; accounts: number | null }> {
    const [source, target] = [await emptyDatabase(), await emptyDatabase()];
    await restore((await backUpApp()).file, source);
    const { file } = await withClient(source, async (client) => {
      for (const change of changes) await client.query(change);
      return backUp(client);
    });
    const reason = await restore(file, target).then(
      () => 'restored',
      (error: unknown) => (error instanceof BackupError ? error.message : String(error)),
    );
    return { reason, accounts: (await withClient(target, (client) => client.query('select from account'))).rowCount };
  }

  it.each([
    [
      'at the end of bigint',
      `select setval('event_id_seq', 9223372036854775807)`,
      /^The backup's counter event_id_seq is at 9223372036854775807, which leaves/,
    ],
    ['behind its rows', `select setval('event_id_seq', 1)`, /^The backup's counter event_id_seq is at 1, behind its rows/],
  ])('refuses a counter that is %s', async (_name, change, message) => {
    expect(await restoreChanged(change)).toEqual({ reason: expect.stringMatching(message), accounts: 0 });
  });

  it.each([
    ['feedback_values', 'update feedback set rating = 9'],
    ['feedback_values', `update feedback set status = 'lost'`],
    ['account_times', `update account set created = 'infinity'`],
    ['feedback_day_times', `update feedback_day set day = '-infinity' where ctid = (select min(ctid) from feedback_day)`],
    ['property_lengths', `update property set display_name = repeat('x', 5000) || id`],
    ['property_values', `update property set service = '{}'`],
    ['subscription_values', `update subscription set plan = 'Platinum'`],
  ])('refuses a value that breaks %s: %s', async (name, change) => {
    const table = name.slice(0, name.lastIndexOf('_'));
    const { reason, accounts } = await restoreChanged(`alter table ${table} drop constraint ${name}`, change);
    expect(reason).toMatch(new RegExp(`^The backup has a value that Afterword can't work with \\(${table}, line \\d+: ${name}\\)\\.$`));
    expect(accounts).toBe(0);
  });

  it('refuses a job at infinity', async () => {
    const job = `insert into pgboss.job (name, start_after) values ('mail.send', 'infinity')`;
    expect(await restoreChanged(job)).toEqual({ reason: expect.stringMatching(/^The backup holds a job with a time/), accounts: 0 });
  });

  it('refuses an invalid value in a backup from before the checks', async () => {
    const [earlier, owner] = [await emptyDatabase(), await emptyDatabase()];
    const { file } = await withClient(earlier, async (client) => {
      await applyMigrations(client, 35);
      await migrateJobs(client, ['mail.send']);
      await client.query(`insert into account (id, created, display_name) values ('ACCOUNT_old', 'infinity', 'Old')`);
      return backUp(client);
    });
    await expect(restore(file, owner)).rejects.toThrow("The backup has a value that Afterword can't work with (account: account_times).");
    expect((await withClient(owner, (client) => client.query('select from account'))).rowCount).toBe(0);
  });

  it('finds a check on every column that could have an invalid value', async () => {
    const unchecked = await app.stored(`
      select relname, attname from pg_attribute join pg_class on pg_class.oid = attrelid
       where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
         and atttypid in ('text'::regtype, 'text[]'::regtype, 'timestamptz'::regtype, 'date'::regtype, 'jsonb'::regtype)
         and not exists (select from pg_constraint where contype = 'c' and conrelid = attrelid and attnum = any(conkey))`);
    expect(unchecked).toEqual([]);
  });

  it('upgrades a backup of an older version, and refuses one of a newer version', async () => {
    const earlier = await emptyDatabase();
    const { file } = await withClient(earlier, async (client) => {
      await applyMigrations(client, migrationHashes().length - 1);
      await migrateJobs(client, ['mail.send']);
      await client.query(`insert into account (id, created, display_name) values ('ACCOUNT_old', now(), 'Old')`);
      return backUp(client);
    });
    const owner = await emptyDatabase();
    await restore(file, owner);
    await migrate({ owner, jobs: Object.keys(JOBS), allowVolatile: true });
    expect(await withClient(owner, appliedMigrations)).toEqual(migrationHashes());
    expect((await withClient(owner, (client) => client.query('select id from account'))).rows).toEqual([{ id: 'ACCOUNT_old' }]);
    const later = await withClient(owner, async (client) => {
      await client.query(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of tomorrow', 9999999999999)`);
      return backUp(client);
    });
    await expect(checkBackup(later.file)).rejects.toThrow(/another version of Afterword, 1.2.3/);
  });
});
