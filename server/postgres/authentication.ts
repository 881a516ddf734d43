import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { addFile } from '../disk/durable-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { EmbeddedPostgresError } from './errors.ts';

/** Beside the database and not in it: a copy of the database alone opens nothing. */
export const passwordFile = (dataDir: string): string => path.join(dataDir, 'postgres.password');

/** The superuser's password, made before the first database is: it is on disk when one asks for it. */
export async function readPassword({ dataDir, pgdata }: DataDirectory): Promise<string> {
  const file = passwordFile(dataDir);
  const known = await contentOf(file);
  if (known) return known;
  if (await stat(path.join(pgdata, 'PG_VERSION')).catch(() => undefined)) {
    throw new EmbeddedPostgresError(
      'password_missing',
      `The password of the database in ${pgdata} is missing. Bring the file ${file} back from a backup.`,
    );
  }
  await addFile(file, { text: `${randomBytes(24).toString('base64url')}\n` });
  return contentOf(file);
}

const contentOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    },
  );
