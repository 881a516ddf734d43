import { chmod, lchown, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError, ownServerAdvice } from './errors.ts';
import { makeCluster } from './initdb.ts';
import type { OsUser } from './os-user.ts';

/** Makes the database on disk if there is none yet, and refuses one that this version cannot open. */
export async function ensureCluster(cluster: Cluster): Promise<void> {
  const content = await readdir(cluster.pgdata).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (content.length === 0) return makeCluster(cluster);
  await checkVersion(cluster);
  await checkOwner(cluster);
}

/** A major version reads its own files only. */
async function checkVersion({ application, pgdata, binaries }: Cluster): Promise<void> {
  const ours = String(Number.parseInt(binaries.version, 10));
  const theirs = (await readFile(path.join(pgdata, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (theirs === ours) return;
  if (theirs === '')
    throw new EmbeddedPostgresError(
      'not_a_cluster',
      `${pgdata} is not empty, and it is not a PostgreSQL database (it has no PG_VERSION). Restore a backup, or set ${application.variables.dataDir} to another folder.`,
    );
  throw new EmbeddedPostgresError(
    'version_mismatch',
    `The database in ${pgdata} was made by PostgreSQL ${theirs}, and this ${application.title} brings PostgreSQL ${ours}. Restore a backup into an empty ${application.variables.dataDir}, or ${ownServerAdvice(application)} of version ${theirs} that holds it.`,
  );
}

/** A restored backup may belong to root, or be open to others; PostgreSQL would refuse both. */
async function checkOwner({ pgdata, osUser }: Cluster): Promise<void> {
  const { uid, mode } = await stat(pgdata);
  if (osUser && uid !== osUser.uid) await giveTo(osUser, pgdata);
  if (process.platform !== 'win32' && mode & 0o077) await chmod(pgdata, 0o700);
}

async function giveTo(osUser: OsUser, pgdata: string): Promise<void> {
  const entries = await readdir(pgdata, { recursive: true });
  for (const name of ['', ...entries]) await lchown(path.join(pgdata, name), osUser.uid, osUser.gid);
}
