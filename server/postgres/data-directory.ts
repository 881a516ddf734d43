import { randomBytes } from 'node:crypto';
import { access, chmod, chown, constants, lstat, readlink, realpath, rmdir, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../disk/folder.ts';
import type { Application, Log } from './application.ts';
import { EmbeddedPostgresError, ownServerAdvice } from './errors.ts';
import { canTraverse, currentUserName, isRoot, type OsUser, unprivilegedUser, userOf } from './os-user.ts';

/** The location and owner of PostgreSQL's files. */
export interface DataDirectory {
  readonly application: Application;
  /** Real path of the application's data folder. */
  readonly dataDir: string;
  /** Real path of PostgreSQL's own directory (PGDATA), which may not exist yet. */
  readonly pgdata: string;
  /** The user that root runs the server as; undefined for the user of this process. */
  readonly osUser: OsUser | undefined;
}

/** The folder for files that the unprivileged user must be able to reach when root starts the server. */
export const systemFolder = ({ name }: Application): string => `/var/lib/${name}`;

interface DataDirectoryOptions {
  readonly application: Application;
  readonly dataDir: string;
  readonly log: Log;
}

/** Returns the data directory and creates the folders above it; throws if it can't be written to. */
export async function findDataDirectory({ application, dataDir: folder, log }: DataDirectoryOptions): Promise<DataDirectory> {
  await makeFolder(folder, 0o700).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOSPC' ? error : notWritable(application, { folder, cause: error });
  });
  const dataDir = await realpath(folder);
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
  const stats = await stat(pgdata).catch(() => undefined);
  if (!stats || stats.uid === (process.getuid?.() ?? stats.uid)) return pgdata;
  const { title, variables } = application;
  const { name } = await userOf(stats);
  throw new EmbeddedPostgresError(
    'wrong_owner',
    `The database in ${pgdata} belongs to "${name}", but ${title} runs as ${currentUserName()}. Start ${title} as that user, or set ${variables.dataDir} to another folder.`,
  );
}

const notWritable = (application: Application, { folder, cause }: { folder: string; cause: Error }): Error =>
  new EmbeddedPostgresError(
    'permission_denied',
    `${application.title} can’t write to its data folder ${folder} as the user ${currentUserName()}. Make that user its owner, set ${application.variables.dataDir} to another folder, or ${ownServerAdvice(application)}.`,
    { cause },
  );

/** Returns the owner of an existing database unless that is root, otherwise the unprivileged user. */
async function userFor(application: Application, entry: string): Promise<OsUser> {
  const stats = await stat(entry).catch(() => undefined);
  return stats && stats.uid !== 0 ? userOf(stats) : unprivilegedUser(application);
}

/** Lets the server's group traverse the data folder, which the application owns, without listing it. */
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
  const existing = await lstat(entry).catch(() => undefined);
  if (!existing && !(await canTraverse(path.dirname(entry), osUser))) await linkElsewhere(entry, owner);
  const pgdata = await targetOf(entry);
  if (await canTraverse(path.dirname(pgdata), osUser)) return pgdata;
  throw new EmbeddedPostgresError(
    'permission_denied',
    `The user "${osUser.name}", who runs PostgreSQL when ${application.title} runs as root, can’t reach the database in ${pgdata}. Let others traverse the folders above it (chmod o+x), or move it.`,
  );
}

/** Follows the link that an earlier start created. Throws if its target is gone, instead of replacing it by an empty database. */
async function targetOf(entry: string): Promise<string> {
  const target = await readlink(entry).catch(() => undefined);
  if (target === undefined) return entry;
  const pgdata = path.resolve(path.dirname(entry), target);
  const parent = await realpath(path.dirname(pgdata)).catch(() => undefined);
  if (parent !== undefined) return realpath(pgdata).catch(() => path.join(parent, path.basename(pgdata)));
  throw new EmbeddedPostgresError(
    'data_directory_gone',
    `The database of this folder was in ${pgdata}, which no longer exists. Restore it, or remove the link ${entry} to start with an empty database.`,
  );
}

/** Creates the data directory where the server's user can reach it, because folders such as /root are closed to others. */
async function linkElsewhere(entry: string, { application, osUser, log }: Owner): Promise<void> {
  const folder = path.join(systemFolder(application), randomBytes(8).toString('hex'));
  await makeFolder(systemFolder(application), 0o755);
  await makeFolder(folder, 0o711);
  try {
    await symlink(path.join(folder, 'postgres'), entry);
  } catch (error) {
    await rmdir(folder);
    // A concurrent start was faster, and its link is used.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return;
  }
  log.info({ folder }, `the database is in ${folder}, because the user "${osUser.name}" can’t reach ${path.dirname(entry)}`);
}
