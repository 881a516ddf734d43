import { randomBytes } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

interface Content {
  readonly text: string | Uint8Array;
  /** The only user who may read and write it; undefined for the user of this process. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
}

/** Replaces a file atomically: after a crash, either the old or the new one is there, complete. */
export const replaceFile = (file: string, content: Content): Promise<void> =>
  writeBeside(file, content, (temporary) => rename(temporary, file));

/** Creates a file atomically, unless it exists: another process may have created it first. */
export const addFile = (file: string, content: Content): Promise<void> =>
  writeBeside(file, content, (temporary) =>
    link(temporary, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    }),
  );

/** Writes a temporary file, opened exclusively so that root never writes through a link planted there, and puts it in place. */
async function writeBeside(file: string, { text, owner }: Content, place: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    try {
      await handle.writeFile(text);
      if (owner) await handle.chown(owner.uid, owner.gid);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await place(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
  await syncFolder(path.dirname(file));
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
