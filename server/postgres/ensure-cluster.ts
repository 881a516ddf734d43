import { chmod, lchown, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError, OWN_SERVER } from './errors.ts';
import { makeCluster } from './initdb.ts';
import type { OsUser } from './os-user.ts';

/** Makes the database on disk if there is none yet, and refuses one that this version cannot open. */
export async function ensureCluster(cluster: Cluster): Promise<void> {
  const content = await readdir(cluster.folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (content.length === 0) return makeCluster(cluster);
  await checkVersion(cluster);
  await checkOwner(cluster);
}

/** A major version reads its own files only. */
async function checkVersion({ folder, binaries }: Cluster): Promise<void> {
  const ours = String(Number.parseInt(binaries.version, 10));
  const theirs = (await readFile(path.join(folder, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (theirs === ours) return;
  throw new EmbeddedPostgresError(
    theirs
      ? `The database in ${folder} was made by PostgreSQL ${theirs}, and this Afterword brings PostgreSQL ${ours}. Restore a backup into an empty DATA_DIR, or ${OWN_SERVER} of version ${theirs} that holds it.`
      : `${folder} is not empty, and it is not a PostgreSQL database (it has no PG_VERSION). Restore a backup, or set DATA_DIR to another folder.`,
  );
}

/** A restored backup may belong to root, or be open to others; PostgreSQL would refuse both. */
async function checkOwner({ folder, osUser }: Cluster): Promise<void> {
  const { uid, mode } = await stat(folder);
  if (osUser && uid !== osUser.uid) await giveTo(osUser, folder);
  if (process.platform !== 'win32' && mode & 0o077) await chmod(folder, 0o700);
}

async function giveTo(osUser: OsUser, folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true });
  for (const name of ['', ...entries]) await lchown(path.join(folder, name), osUser.uid, osUser.gid);
}
