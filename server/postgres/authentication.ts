import { randomBytes } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { addFile } from '../disk/durable-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { EmbeddedPostgresError } from './errors.ts';
import type { OsUser } from './os-user.ts';

/** The file with the superuser’s password, outside the database’s folder, so that a copy of that folder has no password. */
export const passwordFile = (dataDir: string): string => path.join(dataDir, 'postgres.password');

/** Returns the superuser's password, and creates it before the database. Throws if a database exists but its password is missing. */
export async function ensurePassword({ dataDir, pgdata }: DataDirectory): Promise<string> {
  const password = await readPassword(dataDir);
  if (password) return password;
  const file = passwordFile(dataDir);
  if (await stat(path.join(pgdata, 'PG_VERSION')).catch(() => undefined)) {
    throw new EmbeddedPostgresError(
      'password_missing',
      `The password of the database in ${pgdata} is missing. Restore the file ${file} from a backup.`,
    );
  }
  await addFile(file, { text: `${randomBytes(24).toString('base64url')}\n` });
  return readPassword(dataDir);
}

/** Returns the password; empty if there is none yet. */
export async function readPassword(dataDir: string): Promise<string> {
  try {
    return (await readFile(passwordFile(dataDir), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Writes a copy of the password for `initdb`, which can't read the original if root owns it. */
export async function writePasswordFile(
  file: string,
  { password, osUser }: { password: string; osUser: OsUser | undefined },
): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(`${password}\n`);
    if (osUser) await handle.chown(osUser.uid, osUser.gid);
  } finally {
    await handle.close();
  }
}
