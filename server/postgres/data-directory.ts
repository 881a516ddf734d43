import { randomBytes } from 'node:crypto';
import { access, chmod, chown, constants, lstat, readlink, realpath, rmdir, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../disk/folder.ts';
import type { Application, Log } from './application.ts';
import { EmbeddedPostgresError, ownServerAdvice } from './errors.ts';
import { canTraverse, currentUserName, isRoot, type OsUser, unprivilegedUser, userOf } from './os-user.ts';

/** Where PostgreSQL keeps its files, and who owns them. */
export interface DataDirectory {
  /** Whose it is. */
  readonly application: Application;
  /** Real path of the application's data folder, which has it. */
  readonly dataDir: string;
  /** Real path of PostgreSQL's own directory, its PGDATA. It need not exist yet. */
  readonly pgdata: string;
  /** Whom root runs the server as; undefined: the user of this process. */
  readonly osUser: OsUser | undefined;
}

/** Where root keeps what the unprivileged user must reach. */
export const systemFolder = ({ name }: Application): string => `/var/lib/${name}`;

interface DataDirectoryOptions {
  readonly application: Application;
  readonly dataDir: string;
  readonly log: Log;
}

/** Finds the data directory and makes the folders above it. Refuses one that cannot be written. */
export async function findDataDirectory({ application, dataDir: wanted, log }: DataDirectoryOptions): Promise<DataDirectory> {
  await makeFolder(wanted, 0o700).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOSPC' ? error : notWritable(application, { folder: wanted, cause: error });
  });
  const dataDir = await realpath(wanted);
  const entry = path.join(dataDir, 'postgres');
  if (!isRoot()) return { application, dataDir, pgdata: await ownedDirectory(application, entry), osUser: undefined };
  const osUser = await userFor(application, entry);
  await allowTraversal(dataDir, osUser);
  return { application, dataDir, pgdata: await reachableDirectory(entry, { application, osUser, log }), osUser };
}

async function ownedDirectory(application: Application, entry: string): Promise<string> {
  const folder = path.dirname(entry);
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).catch((cause: Error) => {
    throw notWritable(application, { folder, cause });
  });
  const pgdata = await targetOf(entry);
  const found = await stat(pgdata).catch(() => undefined);
  if (!found || found.uid === (process.getuid?.() ?? found.uid)) return pgdata;
  const { title, variables } = application;
  const { name } = await userOf(found);
  throw new EmbeddedPostgresError(
    'wrong_owner',
    `The database in ${pgdata} belongs to "${name}", and ${title} runs as ${currentUserName()}. Start ${title} as it was started before, or set ${variables.dataDir} to another folder.`,
  );
}

const notWritable = (application: Application, { folder, cause }: { folder: string; cause: Error }): Error =>
  new EmbeddedPostgresError(
    'permission_denied',
    `${application.title} cannot write to its data folder ${folder} as the user ${currentUserName()}. Give that user the folder, set ${application.variables.dataDir} to another one, or ${ownServerAdvice(application)}.`,
    { cause },
  );

/** A database made earlier by an ordinary user stays that user's. */
async function userFor(application: Application, entry: string): Promise<OsUser> {
  const found = await stat(entry).catch(() => undefined);
  return found && found.uid !== 0 ? userOf(found) : unprivilegedUser(application);
}

/** The data folder itself is the application's: the server's group may pass through it, and sees nothing on its way. */
async function allowTraversal(dataDir: string, osUser: OsUser): Promise<void> {
  const { uid, mode } = await stat(dataDir);
  if (uid !== 0 || mode & 0o077 || !(await canTraverse(path.dirname(dataDir), osUser))) return;
  await chown(dataDir, uid, osUser.gid);
  await chmod(dataDir, 0o710);
}

interface Owner {
  readonly application: Application;
  readonly osUser: OsUser;
  readonly log: Log;
}

async function reachableDirectory(entry: string, owner: Owner): Promise<string> {
  const { osUser, application } = owner;
  const known = await lstat(entry).catch(() => undefined);
  if (!known && !(await canTraverse(path.dirname(entry), osUser))) await linkElsewhere(entry, owner);
  const pgdata = await targetOf(entry);
  if (await canTraverse(path.dirname(pgdata), osUser)) return pgdata;
  throw new EmbeddedPostgresError(
    'permission_denied',
    `The database in ${pgdata} cannot be reached by the user "${osUser.name}", who runs PostgreSQL when ${application.title} runs as root. Let others pass through the folders above it (chmod o+x), or move it.`,
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
async function linkElsewhere(entry: string, { application, osUser, log }: Owner): Promise<void> {
  const folder = path.join(systemFolder(application), randomBytes(8).toString('hex'));
  await makeFolder(systemFolder(application), 0o755);
  await makeFolder(folder, 0o711);
  try {
    await symlink(path.join(folder, 'postgres'), entry);
  } catch (error) {
    await rmdir(folder);
    // Another start was quicker: its link counts.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return;
  }
  log.info({ folder }, `the database is kept in ${folder}, because the user "${osUser.name}" cannot reach ${path.dirname(entry)}`);
}
