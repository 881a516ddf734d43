import { randomBytes } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

interface Content {
  readonly text: string;
  /** Who alone may read and write it; undefined: the user of this process. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
}

/** Replaces a file so that, whatever happens meanwhile, either the old or the new one is there, whole. */
export async function replaceFile(file: string, content: Content): Promise<void> {
  await rename(await writeTemporaryFile(file, content), file);
  await syncFolder(path.dirname(file));
}

/** Makes a file whole, or leaves the one that is there already: another process may have been quicker. */
export async function addFile(file: string, content: Content): Promise<void> {
  const written = await writeTemporaryFile(file, content);
  try {
    await link(written, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(written, { force: true });
  }
  await syncFolder(path.dirname(file));
}

/** Writes a temporary file under a new name, opened exclusively: root never writes through a link that somebody has put there. */
async function writeTemporaryFile(file: string, { text, owner }: Content): Promise<string> {
  const name = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(name, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    if (owner) await handle.chown(owner.uid, owner.gid);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return name;
}

/** A new name survives a power cut only when its folder is on disk too. Windows cannot do it and need not. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
