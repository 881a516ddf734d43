/*
 * Opens the kiosk without a network. The network comes first, so that the page is as new as the connection allows. A page is stored once
 * it has run, so a version that doesn't start never replaces one that does.
 */

import type { FetchEvent, LastingEvent } from '../form/offline/worker-events.ts';
import { timeoutAfter } from '../form/timeout.ts';

interface MessageFromPage extends LastingEvent {
  readonly data: { readonly works?: string };
}

/** The worker's global scope; TypeScript's types cover either a worker or a page. */
interface KioskWorker {
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(name: 'install' | 'activate', listener: (event: LastingEvent) => void): void;
  addEventListener(name: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(name: 'message', listener: (event: MessageFromPage) => void): void;
}

const worker = globalThis as unknown as KioskWorker;
const CACHE = 'afterword-kiosk';
const PAGE = '/kiosk';
/** Time that a slow network gets before the stored page is shown (ms). */
const PATIENCE = 5_000;
/** The files of the page, and of nothing else. */
const FILES = /(?:src|href)="(\/(?:assets\/[^"]+|kiosk[^"]+))"/g;
const VERSION = /data-version="(\w+)"/;

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener('message', (event) => {
  if (event.data.works) event.waitUntil(store(event.data.works));
});
worker.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { pathname, searchParams } = new URL(url);
  if (method !== 'GET' || pathname.startsWith('/api/')) return;
  // Where the browser's storage fails, the page opens as if there were no worker.
  if (mode === 'navigate') event.respondWith(openPage(event.request, searchParams.has('stored')).catch(() => fetch(event.request)));
  else event.respondWith(openFile(event.request).catch(() => fetch(event.request)));
});

async function openPage(request: Request, isStoredWanted: boolean): Promise<Response> {
  const stored = await (await caches.open(CACHE)).match(PAGE);
  if (!stored) return fetch(request);
  if (isStoredWanted) return stored;
  const fresh = await fetch(request, { signal: timeoutAfter(PATIENCE) }).catch(() => undefined);
  return fresh?.ok ? fresh : stored;
}

async function openFile(request: Request): Promise<Response> {
  return (await (await caches.open(CACHE)).match(request)) ?? fetch(request);
}

/** Stores the page of a version with its files, and removes those of others. Nothing is replaced unless all of it arrived. */
async function store(version: string): Promise<void> {
  const cache = await caches.open(CACHE);
  const stored = await (await cache.match(PAGE))?.text();
  if (stored !== undefined && VERSION.exec(stored)?.[1] === version) return;
  const page = await fetch(PAGE);
  const text = await page.clone().text();
  // The server may have a newer version by now, which hasn't run yet.
  if (!page.ok || VERSION.exec(text)?.[1] !== version) return;
  const files = [...text.matchAll(FILES)].flatMap(([, file]) => file ?? []);
  await cache.addAll(files);
  await cache.put(PAGE, page);
  const current = new Set([PAGE, ...files]);
  const old = (await cache.keys()).filter(({ url }) => !current.has(new URL(url).pathname));
  await Promise.all(old.map((request) => cache.delete(request)));
}
