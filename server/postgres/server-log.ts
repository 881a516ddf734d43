import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';

/** What a server says from its start on: first to its error output, later to the log in its folder. */
export interface ServerLog {
  /** Listens to the output of a server that was just started. Its own log takes over soon, which needs no listener. */
  listen(...outputs: (Readable | null)[]): void;
  read(): Promise<string>;
}

export async function openServerLog(pgdata: string): Promise<ServerLog> {
  const logs = path.join(pgdata, 'log');
  const before = new Map(await sizesIn(logs));
  const first: Buffer[] = [];
  return {
    listen(...outputs) {
      for (const output of outputs) output?.on('data', (chunk: Buffer) => first.push(chunk));
    },
    async read() {
      const grown = (await sizesIn(logs)).filter(([name, size]) => size > (before.get(name) ?? 0));
      const later = await Promise.all(grown.map(async ([name]) => (await readFile(path.join(logs, name))).subarray(before.get(name) ?? 0)));
      return Buffer.concat([...first, ...later]).toString();
    },
  };
}

async function sizesIn(folder: string): Promise<[name: string, bytes: number][]> {
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.map(async (name): Promise<[string, number]> => [name, (await stat(path.join(folder, name))).size]));
}
