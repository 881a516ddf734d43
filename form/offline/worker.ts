/*
 * Opens a form without a network, once someone has rated on this device or left the form in the background
 * (docs/rules.md#without-a-network). The network comes first, so a page is as new as the connection allows; answers go past this worker, to
 * the server or the device's outbox.
 */

import { newKey } from '../new-key.ts';
import type { FetchEvent, LastingEvent } from './worker-events.ts';

/** The worker's global scope; TypeScript's types cover either a worker or a page. */
interface FormWorker {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly { url: string }[]> };
  skipWaiting(): Promise<void>;
  addEventListener(name: 'install' | 'activate', listener: (event: LastingEvent) => void): void;
  addEventListener(name: 'fetch', listener: (event: FetchEvent) => void): void;
}

const worker = globalThis as unknown as FormWorker;
const CACHE = 'afterword-forms';
const MOST_FORMS = 10;
/** Time that a slow network gets before the stored page is shown (ms). */
const PATIENCE = 4_000;
const FORM = /^\/feedback\/FORM_\w+$/;
const SCRIPT = /src="(\/assets\/[^"]+)"/g;
const KEY = /"submissionKey":"([^"]+)"/;
/** The headers that a stored page needs. */
const HEADERS = ['content-type', 'content-security-policy', 'referrer-policy'];

worker.addEventListener('install', (event) => event.waitUntil(Promise.all([worker.skipWaiting(), storeOpenForms()])));
worker.addEventListener('activate', (event) => event.waitUntil(worker.registration.navigationPreload?.enable()));
worker.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const address = new URL(url);
  if (method !== 'GET') return;
  // Where the browser's storage fails, the page opens as if there were no worker.
  if (mode === 'navigate' && isStored(address)) event.respondWith(openForm(event, address).catch(() => fetch(event.request)));
  else if (address.pathname.startsWith('/assets/')) event.respondWith(openScript(event.request).catch(() => fetch(event.request)));
});

/** Fields of pages that aren't a form's first one: of a visit, a test, another site's frame, or a face chosen in a mail. */
const OTHER_PAGES = ['key', 'test', 'embed', 'rating'];
const isStored = ({ pathname, searchParams }: URL): boolean => FORM.test(pathname) && !OTHER_PAGES.some((name) => searchParams.has(name));

/** Stores the forms that are open while this worker is installed: they were loaded without it. */
async function storeOpenForms(): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const addresses = windows.map(({ url }) => new URL(url)).filter(isStored);
  // A prefetch isn't counted as a view.
  await Promise.all(addresses.map(async (address) => store(address, await fetch(address, { headers: { purpose: 'prefetch' } }))));
}

async function openForm(event: FetchEvent, address: URL): Promise<Response> {
  const stored = await (await caches.open(CACHE)).match(address.pathname);
  const fresh = loadForm(event, address);
  if (!stored) return fresh;
  // The slower of the two is still stored.
  event.waitUntil(fresh.catch(() => undefined));
  const response = await Promise.race([fresh.catch(() => undefined), after(PATIENCE)]);
  return response && response.status < 500 ? response : withNewKey(stored);
}

async function loadForm(event: FetchEvent, address: URL): Promise<Response> {
  const response = (await event.preloadResponse) ?? (await fetch(event.request));
  const copy = response.clone();
  event.waitUntil(store(address, copy));
  return response;
}

/** Returns a script from the cache, which has those of the stored forms, or from the network. */
async function openScript(request: Request): Promise<Response> {
  return (await (await caches.open(CACHE)).match(request)) ?? fetch(request);
}

/** Stores a page with its script, in place of an older one. Forgets a form that is closed. */
async function store({ pathname }: URL, response: Response): Promise<void> {
  const cache = await caches.open(CACHE);
  if (response.status === 404 || response.status === 410) await cache.delete(pathname);
  if (!response.ok) return;
  const text = await response.text();
  if (!KEY.test(text)) return;
  const headers = HEADERS.map((name): [string, string] => [name, response.headers.get(name) ?? '']);
  await Promise.all(scriptsIn(text).map(async (script) => (await cache.match(script)) ?? cache.add(script)));
  await cache.put(pathname, new Response(text, { headers }));
  await removeOld(cache);
}

/** Removes the oldest forms, and scripts of no stored form. */
async function removeOld(cache: Cache): Promise<void> {
  const requests = await cache.keys();
  const forms = requests.filter(({ url }) => FORM.test(new URL(url).pathname));
  const newest = forms.slice(-MOST_FORMS);
  const pages = await Promise.all(newest.map(async (form) => (await cache.match(form))?.text() ?? ''));
  const scripts = new Set(pages.flatMap(scriptsIn));
  const isOld = (request: Request): boolean => !newest.includes(request) && !scripts.has(new URL(request.url).pathname);
  await Promise.all(requests.filter(isOld).map((request) => cache.delete(request)));
}

const scriptsIn = (page: string): string[] => [...page.matchAll(SCRIPT)].flatMap(([, script]) => script ?? []);

/** Returns a stored page with a new key, because its own belongs to the visit that it was loaded for. */
async function withNewKey(stored: Response): Promise<Response> {
  const text = await stored.text();
  const [, key = ''] = KEY.exec(text) ?? [];
  return new Response(text.replaceAll(key, newKey()), { headers: stored.headers });
}

const after = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
