import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isAlive } from './process.ts';

/** After a restart in a container, the process that was killed may have had our number. */
const ours = new Set<string>();

/**
 * A new folder beside the one that is to be made; a rename makes that one appear whole.
 * Its name holds our process number, so that the next start removes what a killed one left half-done.
 */
export async function openWorkspace(goal: string): Promise<string> {
  await removeAbandoned(goal);
  const folder = `${goal}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  ours.add(path.basename(folder));
  await mkdir(folder);
  await chmod(folder, 0o700);
  return folder;
}

async function removeAbandoned(goal: string): Promise<void> {
  const prefix = `${path.basename(goal)}.new-`;
  for (const name of await readdir(path.dirname(goal))) {
    if (!name.startsWith(prefix) || ours.has(name)) continue;
    const maker = Number(name.slice(prefix.length).split('-')[0]);
    if (maker !== process.pid && isAlive(maker)) continue;
    // A child of the killed process may still write there for a moment; then a later start removes it.
    await rm(path.join(path.dirname(goal), name), { recursive: true, force: true }).catch(() => undefined);
  }
}
