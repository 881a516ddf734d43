import { constants } from 'node:fs';
import { chmod, lchown, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../disk/durable-file.ts';
import type { Log } from './application.ts';
import { writePasswordFile } from './authentication.ts';
import { type Binaries, runProgram } from './binaries.ts';
import type { DataDirectory } from './data-directory.ts';
import { EmbeddedPostgresError, ownServerAdvice, programFailed } from './errors.ts';
import type { OsUser } from './os-user.ts';
import { makeStagingFolder, removeAbandoned } from './staging.ts';

/** The databases in one data directory, and what is needed to run them. */
export interface Cluster extends DataDirectory {
  readonly binaries: Binaries;
  /** The password of the superuser, who has the application's name. */
  readonly password: string;
  /** PostgreSQL settings of this cluster; they override the defaults. */
  readonly settings: Readonly<Record<string, string>>;
  readonly log: Log;
}

/** The settings file, included by `postgresql.conf` so that it applies however the server is started. */
export const configurationFile = ({ application }: Cluster): string => `${application.name}.conf`;

/** Creates the cluster if there is none yet; throws if this version can't open it. */
export async function ensureCluster(cluster: Cluster): Promise<void> {
  const content = await readdir(cluster.pgdata).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (content.length === 0) return createCluster(cluster);
  await checkVersion(cluster);
  await repairOwner(cluster);
  await removeAbandoned(cluster.pgdata);
}

/** Throws unless the cluster has this major version, the only one it can read. */
async function checkVersion({ application, pgdata, binaries }: Cluster): Promise<void> {
  const { title, variables } = application;
  const major = String(Number.parseInt(binaries.version, 10));
  const version = (await readFile(path.join(pgdata, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (version === major) return;
  if (version === '')
    throw new EmbeddedPostgresError(
      'not_a_cluster',
      `${pgdata} is not empty and is not a PostgreSQL database (it has no PG_VERSION). Restore a backup, or set ${variables.dataDir} to another folder.`,
    );
  throw new EmbeddedPostgresError(
    'version_mismatch',
    `The database in ${pgdata} was created by PostgreSQL ${version}, but this ${title} includes PostgreSQL ${major}. Restore a backup into an empty ${variables.dataDir}, or ${ownServerAdvice(application)} that runs version ${version} with this database.`,
  );
}

/** Repairs the owner and mode of a restored backup, without which PostgreSQL wouldn't start. */
async function repairOwner({ pgdata, osUser }: Cluster): Promise<void> {
  const { uid, mode } = await stat(pgdata);
  if (osUser && uid !== osUser.uid) await giveOwnershipTo(osUser, pgdata);
  if (process.platform !== 'win32' && mode & 0o077) await chmod(pgdata, 0o700);
}

async function giveOwnershipTo(osUser: OsUser, pgdata: string): Promise<void> {
  const entries = await readdir(pgdata, { recursive: true });
  for (const name of ['', ...entries]) await lchown(path.join(pgdata, name), osUser.uid, osUser.gid);
}

/** Creates the cluster in a staging folder, so that an interrupted start leaves nothing incomplete. */
async function createCluster(cluster: Cluster): Promise<void> {
  const staging = await makeStagingFolder(cluster.pgdata);
  try {
    const pgdata = path.join(staging, 'postgres');
    await initdb(cluster, { staging, pgdata });
    await includeConfiguration(cluster, pgdata);
    await rename(pgdata, cluster.pgdata);
    await syncFolder(path.dirname(cluster.pgdata));
  } catch (error) {
    // A concurrent start was faster.
    if (!isTaken(error)) throw error;
  } finally {
    await rm(staging, { recursive: true, force: true }).catch(() => undefined);
  }
}

const isTaken = (error: unknown): boolean => ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');

/** The builtin provider's collation doesn't change with the system's libraries, so no update corrupts an index. */
const LOCALE = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
/** For extensions that use the system's character classes, such as pg_trgm; not every system has this locale. */
const CHARACTER_TYPE = '--lc-ctype=C.UTF-8';

async function initdb(cluster: Cluster, { staging, pgdata }: { staging: string; pgdata: string }): Promise<void> {
  const { application, binaries, osUser } = cluster;
  const passwordFile = path.join(staging, 'password');
  await writePasswordFile(passwordFile, cluster);
  if (osUser) await lchown(staging, osUser.uid, osUser.gid);
  const options = ['-D', pgdata, `--username=${application.name}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--data-checksums'];
  let result = await runProgram(binaries, 'initdb', [...options, ...LOCALE, CHARACTER_TYPE]);
  if (result.output.includes('invalid locale name')) result = await runProgram(binaries, 'initdb', [...options, ...LOCALE]);
  if (!result.succeeded) throw await programFailed('initdb', cluster, result.output);
}

/** Doesn't follow a link, through which the server's user could make root write elsewhere. */
async function includeConfiguration(cluster: Cluster, pgdata: string): Promise<void> {
  const handle = await open(path.join(pgdata, 'postgresql.conf'), constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0));
  try {
    await handle.writeFile(
      `\n# ${cluster.application.title}'s own settings win over those above.\ninclude '${configurationFile(cluster)}'\n`,
    );
    await handle.sync();
  } finally {
    await handle.close();
  }
}
