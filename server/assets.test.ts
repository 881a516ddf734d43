import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAssets } from './assets.ts';

const SCRIPT = 'console.log(1);'.repeat(100);
const http: FastifyInstance = fastify();

beforeAll(async () => {
  const builtDir = await mkdtemp(path.join(tmpdir(), 'afterword-assets-'));
  const folder = path.join(builtDir, 'public/assets');
  await mkdir(folder, { recursive: true });
  const files = { 'a-1.js': SCRIPT, 'a-1.js.gz': gzipSync(SCRIPT), 'a-1.js.br': brotliCompressSync(SCRIPT), 'b-2.webp': 'picture' };
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  await addAssets(http, { builtDir });
  // A file of a newer build.
  await writeFile(path.join(folder, 'c-3.js'), SCRIPT);
  expect((await get('/assets/c-3.js')).body).toBe(SCRIPT);
  for (const encodings of ['br', 'gzip', '']) await get('/assets/a-1.js', encodings);
  await get('/assets/b-2.webp');
  // Without the files, all further answers must come from memory.
  await rm(builtDir, { recursive: true });
});
afterAll(() => http.close());

const get = (url: string, encodings?: string) =>
  http.inject({ url, ...(encodings !== undefined && { headers: { 'accept-encoding': encodings } }) });

describe('GET /assets', () => {
  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip, br;q=0', 'gzip', gunzipSync],
    ['gzip', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
    [undefined, undefined, (bytes: Buffer) => bytes],
  ])('answers a client that accepts "%s" with %s, from memory', async (accepted, encoding, decode) => {
    const { statusCode, headers, rawPayload } = await get('/assets/a-1.js', accepted);
    expect([statusCode, decode(rawPayload).toString()]).toEqual([200, SCRIPT]);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
  });

  it('answers with the type of a picture, which has one form only', async () => {
    const { headers, body } = await get('/assets/b-2.webp', 'br');
    expect([body, headers['content-type'], headers['content-encoding'], headers.vary]).toEqual([
      'picture',
      'image/webp',
      undefined,
      undefined,
    ]);
  });

  it.each(['/assets/', '/assets/none.js', '/assets/a-1.js.br', '/assets/..%2Fa-1.js', '/assets/__proto__'])('has no %s', async (url) => {
    expect((await get(url)).statusCode).toBe(404);
  });
});
