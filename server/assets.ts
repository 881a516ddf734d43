import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { refusal } from '#contract/errors.ts';
import type { Config } from './kernel/config.ts';
import { accepts, type Encoding } from './kernel/http.ts';

const PREFIX = '/assets/';
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};
/** How the build marks compressed copies, the smallest first. */
const COPIES: readonly (readonly [Encoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];
/** Names contain a hash of the content, so a copy is good for a year (RFC 9111). */
const CACHED = 'public, max-age=31536000, immutable';

/** A file of the build: plain, and compressed where the build did so. */
interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly compressed: readonly (readonly [Encoding, Buffer])[];
}

/**
 * Serves the build's files from memory: they are a few megabytes, and all answers share them, so readers who never read
 * cost neither open files nor copies.
 */
export async function addAssets(http: FastifyInstance, { builtDir }: Pick<Config, 'builtDir'>): Promise<void> {
  const assets = await readAssets(path.join(builtDir, 'public/assets'));
  const turn = takeTurns();
  http.get<{ Params: { name: string } }>(`${PREFIX}:name`, async (request, reply) => {
    const asset = assets.get(request.params.name);
    if (!asset) throw refusal('not-found');
    const { type, plain, compressed } = asset;
    await turn();
    const [encoding, body] = compressed.find(([each]) => accepts(request, each)) ?? [undefined, plain];
    if (compressed.length > 0) void reply.header('vary', 'accept-encoding');
    if (encoding) void reply.header('content-encoding', encoding);
    return reply.type(type).header('cache-control', CACHED).send(body);
  });
}

/** Returns a function that resolves for one caller in each turn of the event loop: between two of them, others are answered. */
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

async function readAssets(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const names = await readdir(folder);
  const files = new Map(await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name))] as const)));
  const assets = new Map<string, Asset>();
  for (const [name, plain] of files) {
    if (COPIES.some(([, suffix]) => name.endsWith(suffix))) continue;
    const compressed = COPIES.flatMap(([encoding, suffix]) => {
      const copy = files.get(name + suffix);
      return copy ? [[encoding, copy] as const] : [];
    });
    assets.set(name, { type: TYPES[path.extname(name)] ?? 'application/octet-stream', plain, compressed });
  }
  return assets;
}
