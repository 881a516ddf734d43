import { randomBytes } from 'node:crypto';
import { access, link, open, rename, rm } from 'node:fs/promises';
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
    nameFile(temporary, file).catch((error: unknown) => {
      if (!(error instanceof FileExists)) throw error;
    }),
  );

/** A file exists, and must not be overwritten. The message is for the operator. */
export class FileExists extends Error {}

/** Runs `write`, which writes a large file under another name, then gives it its own. Throws `FileExists`, also if it appeared since. */
export async function writeOnce<T>(file: string, write: (unfinished: string) => Promise<T>): Promise<T> {
  if (await exists(file)) throw alreadyExists(file);
  const unfinished = `${file}.unfinished`;
  await rm(unfinished, { force: true });
  try {
    const result = await write(unfinished);
    await nameFile(unfinished, file);
    await syncFolder(path.dirname(path.resolve(file)));
    return result;
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** The codes of disks without hard links, such as exFAT and some network shares. */
const LINKLESS = ['EPERM', 'ENOTSUP', 'ENOSYS'];

/** Gives a file its name, without overwriting another. */
async function nameFile(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file);
  } catch (error) {
    if (await exists(file)) throw alreadyExists(file);
    if (!LINKLESS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await rename(unfinished, file);
  }
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

const alreadyExists = (file: string): FileExists => new FileExists(`${file} already exists and won’t be overwritten.`);

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
