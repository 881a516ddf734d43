import { once } from 'node:events';
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endProcess, kill, openPostgresHarness, type PostgresHarness, query, until } from '../../test/support/postgres-harness.ts';
import { isAlive, runningPostmaster } from './lock-files.ts';
import { isRoot } from './os-user.ts';
import { EmbeddedPostgresError } from './postgres.ts';
import { copyTree } from './staging.ts';

let harness: PostgresHarness;
beforeEach(() => {
  harness = openPostgresHarness();
});
afterEach(() => harness.cleanUp(), 60_000);

const modeOf = async (file: string): Promise<string> => ((await stat(file)).mode & 0o777).toString(8);
const database = (dataDir: string): string => path.join(dataDir, 'postgres');
const postmasterPid = async (dataDir: string): Promise<number> => (await runningPostmaster(database(dataDir)))?.pid ?? 0;
/** Who owns the database runs the server: root does not. */
const serverAccount = async (dataDir: string): Promise<{ uid: number; gid: number }> => stat(database(dataDir));
const messageOf = (start: Promise<unknown>): Promise<string> =>
  start.then(
    () => 'it started',
    (error: Error) => (error instanceof EmbeddedPostgresError ? error.message : `not in plain words: ${error.stack}`),
  );

/** A Node that made the database, wrote one row, and was killed; its server runs on. */
async function leaveServer(dataDir: string): Promise<number> {
  const child = await harness.node(dataDir, { work: 'create table note (id int); insert into note values (7)' });
  await until(() => child.printed() !== '');
  expect(child.printed()).toBe('ready\n');
  await endProcess(child.process);
  return postmasterPid(dataDir);
}

describe('the first start', () => {
  it('makes a database that nobody else can read', async () => {
    const dataDir = await harness.dataDir();
    const server = await harness.start(dataDir);
    expect(await modeOf(database(dataDir))).toBe('700');
    expect(await modeOf(path.join(dataDir, 'postgres.password'))).toBe('600');
    expect(await modeOf(path.join(database(dataDir), '.s.PGSQL.5432'))).toBe('700');
    expect(server.connection).toMatchObject({ host: database(dataDir), user: 'afterword', database: 'afterword' });
    expect(server.connection.password.length).toBeGreaterThanOrEqual(32);
    const wrong = { connection: { ...server.connection, password: 'wrong' } };
    await expect(query(wrong, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    expect(await readdir(dataDir)).toEqual(['postgres', 'postgres.password']);
  });

  it('keeps what is acknowledged on disk, and no text in logs', async () => {
    const dataDir = await harness.dataDir();
    const server = await harness.start(dataDir);
    const settings = {
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      wal_level: 'replica',
      listen_addresses: '',
      server_encoding: 'UTF8',
      timezone: 'UTC',
      logging_collector: 'on',
      log_statement: 'none',
    };
    for (const [name, value] of Object.entries(settings)) expect([name, await query(server, `show ${name}`)]).toEqual([name, [[value]]]);
    await expect(query(server, `select 'a private remark'::uuid`)).rejects.toMatchObject({ code: '22P02' });
    await expect(query(server, `do $$ begin raise exception 'a private remark'; end $$`)).rejects.toMatchObject({ code: 'P0001' });
    await query(server, `do $$ begin raise warning 'a private remark'; end $$`);
    await server.stop();
    const logs = path.join(database(dataDir), 'log');
    const text = await Promise.all((await readdir(logs)).map((name) => readFile(path.join(logs, name), 'utf8')));
    expect(text.join('')).toContain('database system is shut down');
    expect(text.join('')).not.toContain('private');
  });

  it('understands letters of every language', async () => {
    const server = await harness.start(await harness.dataDir());
    expect(await query(server, `select lower('GRÜSSE ЖУК'), 'Жук' ilike '%жУ%', 'B' < 'a'`)).toEqual([['grüsse жук', true, true]]);
  });

  it('begins again when it was killed half-way', async () => {
    const dataDir = await harness.dataDir();
    const child = await harness.node(dataDir);
    const halfMade = async (): Promise<boolean> =>
      (await readdir(dataDir, { recursive: true }).catch(() => [])).some((name) => name.endsWith('postgres/PG_VERSION'));
    await until(halfMade);
    await endProcess(child.process);
    await expect(stat(path.join(database(dataDir), 'PG_VERSION'))).rejects.toMatchObject({ code: 'ENOENT' });
    const server = await harness.start(dataDir);
    expect(await query(server, 'select 1')).toEqual([[1]]);
    await server.stop();
    await harness.start(dataDir);
    expect(await readdir(dataDir)).toEqual(['postgres', 'postgres.password']);
  });

  it('can be made by two at once, of whom one is refused', async () => {
    const dataDir = await harness.dataDir();
    const starts = await Promise.all([messageOf(harness.start(dataDir)), messageOf(harness.start(dataDir))]);
    expect(starts.sort()).toEqual([expect.stringContaining('Another Afterword is already using'), 'it started']);
    const another = await harness.dataDir();
    const children = [await harness.node(another), await harness.node(another)];
    await until(() => children.every((child) => child.printed() !== ''));
    expect(children.map((child) => child.printed()).sort()).toEqual([
      expect.stringContaining('Another Afterword is already using'),
      'ready\n',
    ]);
  });
});

describe('a later start', () => {
  it('finds what was written, and takes new settings', async () => {
    const dataDir = await harness.dataDir();
    const first = await harness.start(dataDir);
    await query(first, 'create table note as select 7 as id');
    await first.stop();
    expect(await postmasterPid(dataDir)).toBe(0);
    const second = await harness.start(dataDir, { settings: { work_mem: '9MB' } });
    expect(await query(second, 'select id from note')).toEqual([[7]]);
    expect(await query(second, 'show work_mem')).toEqual([['9MB']]);
    expect(second.connection).toEqual(first.connection);
  });

  it('uses the port of this machine where a socket has too long a path', async () => {
    const dataDir = await harness.dataDir({ name: 'd'.repeat(90) });
    const server = await harness.start(dataDir);
    expect(server.connection.host).toBe('127.0.0.1');
    expect(await query(server, 'show listen_addresses')).toEqual([['127.0.0.1']]);
    const wrong = { connection: { ...server.connection, password: 'wrong' } };
    await expect(query(wrong, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    await kill(await postmasterPid(dataDir));
    await until(() =>
      query(server, 'select 1').then(
        () => true,
        () => false,
      ),
    );
  });

  it('refuses a second Afterword and leaves the first alone', async () => {
    const dataDir = await harness.dataDir();
    const server = await harness.start(dataDir);
    const pid = await postmasterPid(dataDir);
    const second = await harness.node(dataDir);
    await once(second.process, 'exit');
    expect(second.printed()).toBe(
      `Another Afterword is already using ${dataDir}. Stop that one first, or set DATA_DIR to another folder.\n`,
    );
    expect(await postmasterPid(dataDir)).toBe(pid);
    expect(await query(server, 'select 1')).toEqual([[1]]);
  });

  it('waits for a predecessor that is just stopping', async () => {
    const dataDir = await harness.dataDir();
    const first = await harness.start(dataDir);
    const [second] = await Promise.all([harness.start(dataDir), first.stop()]);
    expect(await query(second, 'select 1')).toEqual([[1]]);
  });
});

describe('after Node was killed', () => {
  it('uses the server on that was left running', async () => {
    const dataDir = await harness.dataDir();
    const pid = await leaveServer(dataDir);
    const server = await harness.start(dataDir);
    expect(pid).toBeGreaterThan(1);
    expect(await postmasterPid(dataDir)).toBe(pid);
    expect(await query(server, 'select id from note')).toEqual([[7]]);
    await server.stop();
    expect(await postmasterPid(dataDir)).toBe(0);
  });

  it('starts it anew when the settings are others', async () => {
    const dataDir = await harness.dataDir();
    const pid = await leaveServer(dataDir);
    const server = await harness.start(dataDir, { settings: { work_mem: '9MB' } });
    expect(await postmasterPid(dataDir)).not.toBe(pid);
    expect(await query(server, 'select id from note')).toEqual([[7]]);
    expect(await query(server, 'show work_mem')).toEqual([['9MB']]);
  });

  it('recovers when the server was killed too', async () => {
    const dataDir = await harness.dataDir();
    await kill(await leaveServer(dataDir));
    const server = await harness.start(dataDir);
    expect(await query(server, 'select id from note')).toEqual([[7]]);
  });

  it('is not misled by a lock file that names an unrelated process', async () => {
    const dataDir = await harness.dataDir();
    await kill(await leaveServer(dataDir));
    const stranger = harness.process('sleep', ['60'], await serverAccount(dataDir));
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) await renumber(path.join(database(dataDir), name), stranger.pid ?? 0);
    const server = await harness.start(dataDir);
    expect(await query(server, 'select id from note')).toEqual([[7]]);
    expect(isAlive(stranger.pid ?? 0)).toBe(true);
    await server.stop();
    expect(stranger.exitCode).toBeNull();
  });

  it('is not misled by an empty lock file', async () => {
    const dataDir = await harness.dataDir();
    await kill(await leaveServer(dataDir));
    await truncate(path.join(database(dataDir), 'postmaster.pid'));
    expect(await query(await harness.start(dataDir), 'select id from note')).toEqual([[7]]);
  });

  /** The first line is the process. */
  async function renumber(file: string, pid: number): Promise<void> {
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^\d+/, String(pid)));
  }
});

describe('a restart', () => {
  it('starts a killed server again, with all that was acknowledged', async () => {
    const dataDir = await harness.dataDir();
    const server = await harness.start(dataDir);
    await query(server, 'create table note as select 7 as id');
    for (const round of [1, 2]) {
      const pid = await postmasterPid(dataDir);
      await kill(pid);
      await until(
        () =>
          query(server, 'select id from note').then(
            ([row]) => row?.[0] === 7,
            () => false,
          ),
        5_000,
      );
      expect(await postmasterPid(dataDir)).not.toBe(pid);
      await until(() => harness.logged.filter((line) => line.startsWith('PostgreSQL is back')).length === round);
    }
  });

  it('does not wait for a busy child of the killed server', async () => {
    const dataDir = await harness.dataDir();
    const server = await harness.start(dataDir);
    const busy = query(server, 'select count(*) from generate_series(1, 1000000000) where random() < 0').catch(() => 'lost');
    await until(
      async () =>
        (
          await query(server, `select count(*) from pg_stat_activity where query like '%generate_series(1%' and state = 'active'`)
        )[0]?.[0] === '2',
    );
    await kill(await postmasterPid(dataDir));
    await until(
      () =>
        query(server, 'select 1').then(
          () => true,
          () => false,
        ),
      5_000,
    );
    expect(await busy).toBe('lost');
  });

  it('takes the lock again when only its connection was lost', async () => {
    const dataDir = await harness.dataDir();
    const server = await harness.start(dataDir);
    const pid = await postmasterPid(dataDir);
    await query(server, `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'afterword supervisor'`);
    await until(() => harness.logged.some((line) => line.startsWith('PostgreSQL is back')));
    expect(await postmasterPid(dataDir)).toBe(pid);
    expect(await messageOf(harness.start(dataDir))).toContain('Another Afterword');
  });

  it('starts no server once it is stopped', async () => {
    const dataDir = await harness.dataDir();
    for (const delay of [0, 60, 100, 115, 130, 145, 160, 175, 200]) {
      const server = await harness.start(dataDir);
      process.kill(await postmasterPid(dataDir), 'SIGKILL');
      await sleep(delay);
      await Promise.all([server.stop(), server.stop()]);
      await sleep(200);
      expect([delay, await postmasterPid(dataDir)]).toEqual([delay, 0]);
    }
  });

  it('can be left out', async () => {
    const dataDir = await harness.dataDir();
    const server = await harness.start(dataDir, { restart: false });
    await kill(await postmasterPid(dataDir));
    await sleep(1_000);
    expect(await postmasterPid(dataDir)).toBe(0);
    await server.stop();
  });
});

describe('what it cannot do is said in plain words', () => {
  it('a folder that cannot be written', async () => {
    const folder = path.dirname(await harness.dataDir({ mode: isRoot() ? 0o755 : 0o555 }));
    const child = await harness.node(path.join(folder, 'data'), isRoot() ? { uid: 65_534 } : {});
    await once(child.process, 'exit');
    expect(child.printed()).toContain(`Afterword cannot write to its data folder ${folder}/data as the user "`);
    await mkdir(path.join(folder, 'data')).catch(() => undefined);
  });

  it('a database of another version', async () => {
    const dataDir = await stopped();
    await writeFile(path.join(database(dataDir), 'PG_VERSION'), '17\n');
    const message = await messageOf(harness.start(dataDir));
    expect(message).toContain('was made by PostgreSQL 17, and this Afterword brings PostgreSQL 18');
    expect(message).toContain('DATABASE_URL');
  });

  it('a damaged database, with what the server says', async () => {
    const dataDir = await stopped();
    await truncate(path.join(database(dataDir), 'global', 'pg_control'), 100);
    expect(await messageOf(harness.start(dataDir))).toMatch(/could not start on the database in .* It said:\n[\s\S]*pg_control/);
  });

  it('a damaged journal, with what the server says later', async () => {
    const dataDir = await stopped();
    const journal = path.join(database(dataDir), 'pg_wal');
    for (const name of (await readdir(journal)).filter((each) => each.length === 24)) await rm(path.join(journal, name));
    expect(await messageOf(harness.start(dataDir))).toMatch(/It said:\n[\s\S]*could not locate a valid checkpoint record/);
  });

  it('a password that is missing or of another database', async () => {
    const dataDir = await stopped();
    const file = path.join(dataDir, 'postgres.password');
    await writeFile(file, 'another');
    expect(await messageOf(harness.start(dataDir))).toContain(`The password in ${file} is not the one of the database`);
    expect(await postmasterPid(dataDir)).toBe(0);
    await rm(file);
    expect(await messageOf(harness.start(dataDir))).toContain('The password of the database');
  });

  it('a folder with something else in it', async () => {
    const dataDir = await harness.dataDir();
    await mkdir(database(dataDir), { recursive: true });
    await chmod(dataDir, 0o711);
    await writeFile(path.join(database(dataDir), 'note.txt'), '');
    expect(await messageOf(harness.start(dataDir))).toContain('is not a PostgreSQL database');
  });

  async function stopped(): Promise<string> {
    const dataDir = await harness.dataDir();
    await (await harness.start(dataDir)).stop();
    return dataDir;
  }
});

// Only root can drop rights; for others there is nothing to test here, and nothing to skip.
if (isRoot()) {
  describe('as root', () => {
    it('runs the server as somebody else', async () => {
      const dataDir = await harness.dataDir();
      await harness.start(dataDir);
      expect((await stat(`/proc/${await postmasterPid(dataDir)}`)).uid).not.toBe(0);
      expect((await lstat(database(dataDir))).isSymbolicLink()).toBe(false);
      expect(await modeOf(dataDir)).toBe('710');
    });

    it('keeps the database elsewhere when the folder is closed to others, and never replaces one that is gone', async () => {
      const dataDir = await harness.dataDir({ mode: 0o700 });
      const server = await harness.start(dataDir);
      expect(server.connection.host).toMatch(/^\/var\/lib\/afterword\/[0-9a-f]{16}\/postgres$/);
      expect(harness.logged.join('\n')).toContain('the database is kept in /var/lib/afterword/');
      await query(server, 'create table note as select 7 as id');
      await server.stop();
      expect(await query(await harness.start(dataDir), 'select id from note')).toEqual([[7]]);
      await harness.cleanUp();

      const home = path.dirname(server.connection.host);
      await mkdir(dataDir, { recursive: true });
      await expect(stat(home)).rejects.toMatchObject({ code: 'ENOENT' });
    });

    it('does not begin anew where a database has vanished', async () => {
      const dataDir = await harness.dataDir({ mode: 0o700 });
      const server = await harness.start(dataDir);
      await server.stop();
      const home = path.dirname(server.connection.host);
      await rename(home, `${home}-away`);
      expect(await messageOf(harness.start(dataDir))).toContain(`was kept in ${server.connection.host}, which is gone`);
      await rename(`${home}-away`, home);
    });
  });
}

describe('a copy of the binaries', () => {
  it('is readable for everybody, made once, and made again when incomplete', async () => {
    const to = path.join(path.dirname(await harness.dataDir()), 'copy');
    const from = path.join(path.dirname(await harness.dataDir()), 'native');
    await mkdir(path.join(from, 'bin'), { recursive: true, mode: 0o700 });
    await writeFile(path.join(from, 'bin', 'postgres'), 'program', { mode: 0o700 });
    await writeFile(path.join(from, 'text'), 'text', { mode: 0o600 });
    await copyTree(from, to);
    const files = [to, path.join(to, 'bin'), path.join(to, 'bin', 'postgres'), path.join(to, 'text')];
    expect(await Promise.all(files.map(modeOf))).toEqual(['755', '755', '755', '644']);
    const { ino } = await stat(to);
    await copyTree(from, to);
    expect((await stat(to)).ino).toBe(ino);
    await truncate(path.join(to, 'text'), 1);
    await copyTree(from, to);
    expect(await readFile(path.join(to, 'text'), 'utf8')).toBe('text');
  });
});
