import { chmod, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder with exactly this mode, whatever the umask, and those above it; leaves one that exists as it is. Node's own
 * `recursive` never returns where a file system answers ENOENT for a folder whose parent is there, as /proc does.
 */
export async function makeFolder(folder: string, mode: number): Promise<void> {
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isThere) return;
  const parent = path.dirname(folder);
  if (parent !== folder) await makeFolder(parent, mode);
  try {
    await mkdir(folder, { mode });
    await chmod(folder, mode);
  } catch (error) {
    // Another process was quicker.
    if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw error;
  }
}
