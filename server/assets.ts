import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { refusal } from '#contract/core/errors.ts';
import type { Config } from './platform/config/config.ts';
import { accepts, type Encoding } from './platform/http/http.ts';

const PREFIX = '/assets/';
/** Names are read at most this often (ms), so that requests for missing files cost nothing. */
const REFRESH = 1_000;
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};
/** File suffixes of compressed copies, the smallest first. */
const COPIES: readonly (readonly [Encoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];
/** Names contain a hash of the content, so a copy is good for a year (RFC 9111). */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/**
 * Serves the build's files from memory. Each is read on its first request and then shared by all answers, so clients that never read
 * cost neither open files nor copies.
 */
export async function addAssets(http: FastifyInstance, { builtDir }: Pick<Config, 'builtDir'>): Promise<void> {
  const folder = path.join(builtDir, 'public/assets');
  let names = new Set(await readdir(folder));
  let refreshed = 0;
  const contents = new Map<string, Promise<Buffer>>();
  const waitForTurn = takeTurns();
  http.get<{ Params: { name: string } }>(`${PREFIX}:name`, async (request, reply) => {
    const { name } = request.params;
    const type = TYPES[path.extname(name)];
    if (type && !names.has(name)) await refresh();
    if (!type || !names.has(name)) throw refusal('not-found');
    const copies = COPIES.filter(([, suffix]) => names.has(name + suffix));
    const [encoding, suffix] = copies.find(([each]) => accepts(request, each)) ?? [undefined, ''];
    const content = await contentOf(name + suffix);
    await waitForTurn();
    if (copies.length > 0) void reply.header('vary', 'accept-encoding');
    if (encoding) void reply.header('content-encoding', encoding);
    return reply.type(type).header('cache-control', CACHE_CONTROL).send(content);
  });

  /** Reads the names again, because a newer build adds files: in a rolling restart, pages of new processes request them from old ones. */
  async function refresh(): Promise<void> {
    if (Date.now() < refreshed + REFRESH) return;
    refreshed = Date.now();
    // Between two builds, there is no folder.
    names = await readdir(folder).then(
      (files) => new Set(files),
      () => names,
    );
  }

  function contentOf(file: string): Promise<Buffer> {
    const content = contents.get(file) ?? readFile(path.join(folder, file));
    contents.set(file, content);
    content.catch(() => contents.delete(file));
    return content;
  }
}

/** Returns a function that resolves for one caller per turn of the event loop, so that other requests are answered in between. */
function takeTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(serve);
    });

  function serve(): void {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(serve);
  }
}
