import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import fastify from 'fastify';
import { formPath } from '#contract/form/form-page.ts';
import { pier } from '#fixtures/business.ts';
import { withBrowser } from './browser.ts';
import { requestOf, sendRequests } from './load.ts';
import { line, median, milliseconds, perSecond, times } from './measure.ts';
import type { BenchProduct } from './product.ts';

const ROUNDS = 3;
const MS = 4_000;
const PAINTS = 9;
const ASSETS = path.resolve(import.meta.dirname, '../dist/public/assets');

/** Compares the form's page, rendered for each visitor, with the same HTML as a file. */
export async function measureFormPage({ address }: BenchProduct): Promise<void> {
  const page = `${address}${formPath(pier.data.formId)}`;
  const html = await (await fetch(page)).text();
  const file = await serveFile(html);
  try {
    const rates = { page: [] as number[], file: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.file.push(await rateOf(file.url));
      rates.page.push(await rateOf(page));
    }
    line('the same HTML as a static file', perSecond(median(rates.file)), 'baseline');
    line('the form’s page', perSecond(median(rates.page)), `${times(median(rates.file) / median(rates.page))} the static file’s time`);
    await measurePaint(page, file.url);
  } finally {
    await file.stop();
  }
}

async function rateOf(url: string): Promise<number> {
  const request = requestOf(`GET ${new URL(url).pathname}`, { 'accept-encoding': 'gzip' });
  return (await sendRequests(url, { connections: 32, ms: MS, requestOf: () => request })).rate;
}

/** Serves HTML and the assets with the library that the product uses. */
async function serveFile(html: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const root = await mkdtemp(path.join(tmpdir(), 'afterword-file-'));
  await writeFile(path.join(root, 'form.html'), html);
  await writeFile(path.join(root, 'form.html.gz'), gzipSync(html, { level: 9 }));
  const http = fastify();
  await http.register(fastifyStatic, { root, preCompressed: true });
  await http.register(fastifyStatic, {
    root: ASSETS,
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    decorateReply: false,
  });
  const url = await http.listen({ host: '127.0.0.1', port: 0 });
  return {
    url: `${url}/form.html`,
    async stop() {
      await http.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Measures the first contentful paint on slow 4G and a processor four times as slow. */
async function measurePaint(page: string, file: string): Promise<void> {
  const paints = { page: [] as number[], file: [] as number[] };
  await withBrowser(async (browser) => {
    for (let round = 0; round < PAINTS; round += 1) {
      paints.file.push(await browser.firstPaint(file));
      paints.page.push(await browser.firstPaint(page));
    }
  });
  const [pagePaint, filePaint] = [median(paints.page), median(paints.file)];
  line('first contentful paint, static file', milliseconds(filePaint), 'baseline (slow 4G, 4× slower processor)');
  line('first contentful paint, form’s page', milliseconds(pagePaint), `${times(pagePaint / filePaint)} the static file’s`);
}
