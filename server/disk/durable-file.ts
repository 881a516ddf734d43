import { randomBytes } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

interface Content {
  readonly text: string;
  /** The only user who may read and write it; undefined for the user of this process. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
}

/** Replaces a file atomically: after a crash, either the old or the new one is there, complete. */
export async function replaceFile(file: string, content: Content): Promise<void> {
  await rename(await writeTemporaryFile(file, content), file);
  await syncFolder(path.dirname(file));
}

/** Creates a file atomically, unless it exists: another process may have created it first. */
export async function addFile(file: string, content: Content): Promise<void> {
  const temporary = await writeTemporaryFile(file, content);
  try {
    await link(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  await syncFolder(path.dirname(file));
}

/** Writes a temporary file, opened exclusively so that root never writes through a link planted there. */
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

/** Syncs a folder, without which a new name may not survive a power cut. Not supported or needed on Windows. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
