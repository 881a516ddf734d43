import { randomBytes } from 'node:crypto';
import { chmod, cp, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../disk/durable-file.ts';
import { isAlive } from './lock-files.ts';

/** The folders of this process. Its id alone isn't enough: in a restarted container, a killed process may have had the same one. */
const ownFolders = new Set<string>();

/**
 * Creates a folder beside its target, which a rename then makes appear complete. Its name has this process's id, by which a
 * later start recognizes the leftovers of a killed one.
 */
export async function makeStagingFolder(target: string): Promise<string> {
  await removeAbandoned(target);
  const folder = `${target}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  ownFolders.add(path.basename(folder));
  await mkdir(folder);
  await chmod(folder, 0o700);
  return folder;
}

/** Removes staging folders of killed processes beside the target. */
export async function removeAbandoned(target: string): Promise<void> {
  const prefix = `${path.basename(target)}.new-`;
  for (const name of await readdir(path.dirname(target))) {
    if (!name.startsWith(prefix) || ownFolders.has(name)) continue;
    const pid = Number(name.slice(prefix.length).split('-')[0]);
    if (pid !== process.pid && isAlive(pid)) continue;
    // A child of the killed process may still write there for a moment; the next start removes the rest.
    await rm(path.join(path.dirname(target), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Copies a folder, readable by everyone, unless a complete copy exists. */
export async function copyTree(from: string, to: string): Promise<void> {
  const files = await listFiles(from);
  if (await hasAll(to, files)) return;
  const staging = await makeStagingFolder(to);
  await cp(from, staging, { recursive: true, verbatimSymlinks: true });
  await makeReadable(staging);
  await rm(to, { recursive: true, force: true });
  await rename(staging, to).catch(async (error: Error) => {
    await rm(staging, { recursive: true, force: true });
    // A concurrent start was faster.
    if (!(await hasAll(to, files))) throw error;
  });
  await syncFolder(path.dirname(to));
}

interface FileSize {
  /** Relative to the folder. */
  readonly name: string;
  readonly bytes: number;
}

async function listFiles(folder: string): Promise<FileSize[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(files.map(async (file) => ({ name: path.relative(folder, file), bytes: (await stat(file)).size })));
}

async function hasAll(folder: string, files: readonly FileSize[]): Promise<boolean> {
  const sizes = await Promise.all(
    files.map(({ name }) =>
      stat(path.join(folder, name)).then(
        ({ size }) => size,
        () => -1,
      ),
    ),
  );
  return files.every(({ bytes }, index) => sizes[index] === bytes);
}

/** Undoes a strict umask and syncs each file, because its size alone wouldn't reveal a file damaged by a power cut. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) await makeReadable(name);
    else if (entry.isFile()) await makeFileReadable(name);
  }
}

async function makeFileReadable(name: string): Promise<void> {
  const handle = await open(name, 'r');
  try {
    const { mode } = await handle.stat();
    await handle.chmod(mode & 0o100 ? 0o755 : 0o644);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
