import { chmod, cp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../disk/durable-file.ts';
import { openWorkspace } from './staging.ts';

/** Copies a folder once, readable for everybody; a later call finds the copy. An incomplete one is made again. */
export async function copyTree(from: string, to: string): Promise<void> {
  const files = await listFiles(from);
  if (await hasAll(to, files)) return;
  const workspace = await openWorkspace(to);
  await cp(from, workspace, { recursive: true, verbatimSymlinks: true });
  await openToAll(workspace);
  await rm(to, { recursive: true, force: true });
  await rename(workspace, to).catch(async (error: Error) => {
    await rm(workspace, { recursive: true, force: true });
    // Another start was quicker.
    if (!(await hasAll(to, files))) throw error;
  });
  await syncFolder(path.dirname(to));
}

interface Entry {
  /** Relative to the folder. */
  readonly name: string;
  readonly bytes: number;
}

async function listFiles(folder: string): Promise<Entry[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(files.map(async (file) => ({ name: path.relative(folder, file), bytes: (await stat(file)).size })));
}

async function hasAll(folder: string, files: readonly Entry[]): Promise<boolean> {
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

/** Undoes a strict umask, and brings each file to disk: sizes alone would not show a file that a power cut emptied. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(name);
    else if (entry.isFile()) await openFile(name);
  }
}

async function openFile(name: string): Promise<void> {
  const handle = await open(name, 'r');
  try {
    const { mode } = await handle.stat();
    await handle.chmod(mode & 0o100 ? 0o755 : 0o644);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
