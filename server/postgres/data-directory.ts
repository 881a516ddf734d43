import { randomBytes } from 'node:crypto';
import { access, chmod, chown, constants, lstat, mkdir, readlink, realpath, rmdir, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedPostgresError, OWN_SERVER } from './errors.ts';
import type { Log } from './log.ts';
import { canTraverse, currentUserName, isRoot, type OsUser, unprivilegedUser, userOf } from './os-user.ts';

/** Where PostgreSQL keeps its files, and who owns them. */
export interface DataDirectory {
  /** Real path of DATA_DIR. */
  readonly dataDir: string;
  /** Real path of PostgreSQL's own directory, its PGDATA. It need not exist yet. */
  readonly pgdata: string;
  /** Whom root runs the server as; undefined: the user of this process. */
  readonly osUser: OsUser | undefined;
}

/** Where root keeps what the unprivileged user must reach. */
export const SYSTEM_FOLDER = '/var/lib/afterword';

/** Finds the data directory and makes the folders above it. Refuses one that cannot be written. */
export async function findDataDirectory(dataDir: string, log: Log): Promise<DataDirectory> {
  await makeFolder(dataDir, 0o700).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOSPC' ? error : notWritable(dataDir, error);
  });
  const real = await realpath(dataDir);
  const entry = path.join(real, 'postgres');
  if (!isRoot()) return { dataDir: real, pgdata: await ownedDirectory(real, entry), osUser: undefined };
  const osUser = await userFor(entry);
  await allowTraversal(real, osUser);
  return { dataDir: real, pgdata: await reachableDirectory(entry, { osUser, log }), osUser };
}

/** Makes the folder with exactly this mode, whatever the umask; leaves one that exists as it is. */
export async function makeFolder(folder: string, mode: number): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode });
  if (made) await chmod(folder, mode);
}

async function ownedDirectory(dataDir: string, entry: string): Promise<string> {
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).catch((error: Error) => {
    throw notWritable(dataDir, error);
  });
  const pgdata = await targetOf(entry);
  const found = await stat(pgdata).catch(() => undefined);
  if (!found || found.uid === (process.getuid?.() ?? found.uid)) return pgdata;
  const { name } = await userOf(found);
  throw new EmbeddedPostgresError(
    'wrong_owner',
    `The database in ${pgdata} belongs to "${name}", and Afterword runs as ${currentUserName()}. Start Afterword as it was started before, or set DATA_DIR to another folder.`,
  );
}

const notWritable = (folder: string, cause: Error): Error =>
  new EmbeddedPostgresError(
    'permission_denied',
    `Afterword cannot write to its data folder ${folder} as the user ${currentUserName()}. Give that user the folder, set DATA_DIR to another one, or ${OWN_SERVER}.`,
    { cause },
  );

/** A database made earlier by an ordinary user stays that user's. */
async function userFor(entry: string): Promise<OsUser> {
  const found = await stat(entry).catch(() => undefined);
  return found && found.uid !== 0 ? userOf(found) : unprivilegedUser();
}

/** The data folder itself is Afterword's: the server's group may pass through it, and sees nothing on its way. */
async function allowTraversal(dataDir: string, osUser: OsUser): Promise<void> {
  const { uid, mode } = await stat(dataDir);
  if (uid !== 0 || mode & 0o077 || !(await canTraverse(path.dirname(dataDir), osUser))) return;
  await chown(dataDir, uid, osUser.gid);
  await chmod(dataDir, 0o710);
}

async function reachableDirectory(entry: string, { osUser, log }: { osUser: OsUser; log: Log }): Promise<string> {
  const known = await lstat(entry).catch(() => undefined);
  if (!known && !(await canTraverse(path.dirname(entry), osUser))) await linkElsewhere(entry, { osUser, log });
  const pgdata = await targetOf(entry);
  if (await canTraverse(path.dirname(pgdata), osUser)) return pgdata;
  throw new EmbeddedPostgresError(
    'permission_denied',
    `The database in ${pgdata} cannot be reached by the user "${osUser.name}", who runs PostgreSQL when Afterword runs as root. Let others pass through the folders above it (chmod o+x), or move it.`,
  );
}

/** Follows the link that an earlier start made. A database that has vanished is never replaced by an empty one. */
async function targetOf(entry: string): Promise<string> {
  const target = await readlink(entry).catch(() => undefined);
  if (target === undefined) return entry;
  const pgdata = path.resolve(path.dirname(entry), target);
  const parent = await realpath(path.dirname(pgdata)).catch(() => undefined);
  if (parent !== undefined) return realpath(pgdata).catch(() => path.join(parent, path.basename(pgdata)));
  throw new EmbeddedPostgresError(
    'data_directory_gone',
    `The database of this folder was kept in ${pgdata}, which is gone. Bring it back, or remove the link ${entry} to begin with an empty database.`,
  );
}

/** A clone in /root or a mktemp folder is closed to others, so the data directory is made where the server's user can go. */
async function linkElsewhere(entry: string, { osUser, log }: { osUser: OsUser; log: Log }): Promise<void> {
  const home = path.join(SYSTEM_FOLDER, randomBytes(8).toString('hex'));
  await makeFolder(SYSTEM_FOLDER, 0o755);
  await makeFolder(home, 0o711);
  try {
    await symlink(path.join(home, 'postgres'), entry);
  } catch (error) {
    await rmdir(home);
    // Another start was quicker: its link counts.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return;
  }
  log.info({ folder: home }, `the database is kept in ${home}, because the user "${osUser.name}" cannot reach ${path.dirname(entry)}`);
}
