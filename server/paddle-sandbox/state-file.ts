import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../disk/durable-file.ts';
import { emptyState, type SandboxState } from './state.ts';

/** Where the state is kept over a restart. */
export interface StateFile {
  readonly state: SandboxState;
  /** Writes the state as it is now, after what is being written; waits until that is on disk. Changes that come together are one write. */
  save(): Promise<void>;
}

/** Opens the state: what the file holds, or nothing yet. Without a file it is in memory only. */
export async function openStateFile(file: string | undefined): Promise<StateFile> {
  if (file === undefined) return { state: emptyState(), save: async () => undefined };
  await mkdir(path.dirname(file), { recursive: true });
  const state = await readState(file);
  let written = '';
  let writing: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  return {
    state,
    save() {
      waiting ??= writing
        .catch(() => undefined)
        .then(() => {
          waiting = undefined;
          writing = write();
          return writing;
        });
      return waiting;
    },
  };

  async function write(): Promise<void> {
    const text = JSON.stringify(state);
    if (text === written) return;
    await replaceFile(file as string, { text });
    written = text;
  }
}

async function readState(file: string): Promise<SandboxState> {
  try {
    // Written by this program alone, whole or not at all.
    return { ...emptyState(), ...(JSON.parse(await readFile(file, 'utf8')) as SandboxState) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return emptyState();
    throw error;
  }
}
