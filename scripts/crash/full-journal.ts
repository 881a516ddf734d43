import { execFile } from 'node:child_process';
import { cp, lstat, mkdir, rm, statfs, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { AFTERWORD } from '../../server/afterword.ts';
import { startEmbeddedPostgres } from '../../server/postgres/postgres.ts';
import {
  initialize,
  killServer,
  launch,
  newServer,
  startServer,
  superuserOf,
  type TestServer,
  urlOf,
} from '../../test/support/postgres/server.ts';
import { repeatedMessages } from './audit.ts';
import type { Campaign, Scene } from './campaign.ts';
import { unmount } from './disk.ts';
import { until } from './until.ts';
import type { Place, Victim } from './victim.ts';

/** Returns why this machine can't give the journal its own disk, or undefined if it can. */
export const whyNoJournalDisk = async (): Promise<string | undefined> =>
  process.platform === 'linux' && process.getuid?.() === 0 ? undefined : 'it needs Linux and root, to mount a small disk for the journal';

/** How long the journal stays full in each round (ms). In the last, a message logged once a minute appears twice. */
const ROUNDS = [5_000, 65_000];
/** Free space for the journal (bytes): a bit more than two of its files. */
const FREE_SPACE = 40 * 1024 ** 2;
const SIZE = 512 * 1024 ** 2;
const MOST_MEGABYTES = 2_000;
const NOTICED_WITHIN = 10_000;
const BACK_WITHIN = 30_000;

/** Fills the disk of PostgreSQL's journal (pg_wal) while visitors rate, and frees it again. */
export function fullJournal(server: 'embedded' | 'own'): Campaign {
  let journal: string;
  return {
    name: `journal full, ${server} server`,
    async prepare(folder) {
      journal = path.join(folder, 'journal');
      return server === 'embedded' ? embedded(folder, journal) : external(folder, journal);
    },
    async damage(scene) {
      const faults: string[] = [];
      for (const duration of ROUNDS) faults.push(...(await fill(scene, { journal, duration })));
      return faults;
    },
  };
}

async function fill({ victim, ledger, say }: Scene, { journal, duration }: { journal: string; duration: number }): Promise<string[]> {
  const ballast = path.join(journal, 'ballast');
  const firstLine = victim.log.length;
  const { bavail, bsize } = await statfs(journal);
  await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - FREE_SPACE)));
  await writeUntilFull(victim);
  if (!(await until(async () => !(await victim.isReady()), NOTICED_WITHIN))) return ['ready although the journal is full'];
  await sleep(duration);
  const faults = (await victim.isReady()) ? ['ready although the journal is full'] : [];
  await rm(ballast);
  const [before, since] = [ledger.entries.size, Date.now()];
  const isBack = await until(async () => ledger.entries.size > before && (await victim.isReady()), BACK_WITHIN);
  if (!isBack) return [...faults, `not back within ${BACK_WITHIN} ms of freeing the disk`];
  say(`full for ${duration} ms, back ${Date.now() - since} ms after the disk was freed`);
  return [...faults, ...repeatedMessages(victim.log.slice(firstLine), duration)];
}

/** Writes a lot through another connection, so that no checkpoint frees space in time. */
async function writeUntilFull(victim: Victim): Promise<void> {
  const client = await victim.connect();
  const write = (): Promise<unknown> => client.query(`select pg_logical_emit_message(false, 'crash', repeat('x', 1000000))`);
  try {
    for (let megabytes = 0; megabytes < MOST_MEGABYTES; megabytes += 1) await write();
  } catch {
    return;
  } finally {
    await client.end().catch(() => undefined);
  }
  throw new Error('The journal did not fill');
}

async function embedded(folder: string, journal: string): Promise<Place> {
  const dataDir = path.join(folder, 'data');
  const quiet = (): void => undefined;
  const log = { info: quiet, warn: quiet, error: quiet };
  await (await startEmbeddedPostgres({ application: AFTERWORD, dataDir, log })).stop();
  await moveJournal(path.join(dataDir, 'postgres'), journal);
  return { dataDir, remove: () => unmount(journal) };
}

async function external(folder: string, journal: string): Promise<Place> {
  const server = await newServer(folder, 'own');
  await initialize(server);
  await moveJournal(server.pgdata, journal);
  const stopSupervisor = await supervise(server);
  return {
    dataDir: path.join(folder, 'data'),
    database: { url: urlOf(server), connection: () => superuserOf(server) },
    async remove() {
      await stopSupervisor();
      await unmount(journal);
    },
  };
}

/** Restarts the server a second after it ends, as a supervisor does. */
async function supervise(server: TestServer): Promise<() => Promise<void>> {
  await startServer(server);
  let isOver = false;
  const restartOnExit = (): void => {
    server.process?.once('exit', async () => {
      await sleep(1_000);
      if (isOver) return;
      await launch(server);
      restartOnExit();
    });
  };
  restartOnExit();
  return async () => {
    isOver = true;
    await killServer(server);
  };
}

async function moveJournal(pgdata: string, journal: string): Promise<void> {
  const folder = path.join(pgdata, 'pg_wal');
  const { uid, gid } = await lstat(folder);
  await mkdir(journal);
  await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0700,uid=${uid},gid=${gid}`, 'journal', journal]);
  await cp(folder, journal, { recursive: true, preserveTimestamps: true });
  await run('chown', ['-R', `${uid}:${gid}`, journal]);
  await rm(folder, { recursive: true });
  await symlink(journal, folder);
}

const run = promisify(execFile);
