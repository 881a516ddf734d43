import { chmod, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Creates a folder and its parents with exactly this mode, whatever the umask; leaves existing ones unchanged. Node's own
 * `recursive` never returns on a file system that answers ENOENT for a folder whose parent exists, as /proc does.
 */
export async function makeFolder(folder: string, mode: number): Promise<void> {
  const exists = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (exists) return;
  const parent = path.dirname(folder);
  if (parent !== folder) await makeFolder(parent, mode);
  try {
    await mkdir(folder, { mode });
    await chmod(folder, mode);
  } catch (error) {
    // Another process may have created it.
    if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw error;
  }
}
