import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { dana } from '#fixtures/business.ts';
import { type BrowserBench, type FirstLoad, withBrowser } from './browser.ts';
import { kilobytes, line, median, times } from './measure.ts';
import type { BenchProduct } from './product.ts';

const ROUNDS = 5;
/** The feed's rows. */
const ROWS = 'main a[id^=EXPERIENCE]';

/** Pages on a first visit to the dashboard, and the element that shows they are ready. */
const PAGES = {
  'the demo’s rows': { path: '/demo', ready: ROWS },
  'the demo’s page, hydrated': { path: '/demo', ready: `html[data-live] ${ROWS}` },
  'the sign-in field': { path: '/', ready: 'input[type=email]:not(:disabled)' },
};

/** Measures when a cold page becomes usable, on slow 4G and a processor four times as slow, against a bare page of the same size. */
export async function measureFirstLoad({ address, pool }: BenchProduct): Promise<void> {
  const { password } = await pool();
  await withBrowser(async (browser) => {
    const returnVisits = await browser.laterLoads(
      { url: `${address}/`, ready: ROWS },
      { first: (page) => signIn(page, password), later: ROUNDS },
    );
    for (const [name, { path, ready }] of Object.entries(PAGES)) {
      const loads = await rounds(browser, { url: `${address}${path}`, ready });
      const bytes = median(loads.map((load) => load.bytes));
      const bare = await serveBare(bytes);
      const bareLoads = await rounds(browser, { url: bare.url, ready: '#end' });
      await bare.stop();
      const [pageReady, bareReady] = [median(loads.map((load) => load.ready)), median(bareLoads.map((load) => load.ready))];
      line(`a bare page as large as ${name}`, `${Math.round(bareReady)} ms`, 'baseline (slow 4G, 4× slower processor)');
      line(`${name}, first paint`, `${Math.round(median(loads.map((load) => load.firstPaint)))} ms`);
      line(
        name,
        `${Math.round(pageReady)} ms`,
        `${times(pageReady / bareReady)} the bare page, ${kilobytes(bytes)} in ${median(loads.map((load) => load.requests))} requests`,
      );
    }
    const [ready, paint] = [median(returnVisits.map((load) => load.ready)), median(returnVisits.map((load) => load.firstPaint))];
    line('a second visit, first paint', `${Math.round(paint)} ms`);
    line(
      'a second visit’s rows',
      `${Math.round(ready)} ms`,
      `${kilobytes(median(returnVisits.map((load) => load.bytes)))}, the rest is cached`,
    );
  });
}

/** Signs in and waits until the rows are stored. */
async function signIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('Email').fill(dana.data.emailAddress);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForFunction(() => localStorage.getItem('afterword')?.includes('EXPERIENCE'));
}

async function rounds(browser: BrowserBench, page: { url: string; ready: string }): Promise<FirstLoad[]> {
  const loads: FirstLoad[] = [];
  for (let round = 0; round < ROUNDS; round += 1) loads.push(await browser.firstLoad(page));
  return loads;
}

/** Serves HTML of this size (bytes) without scripts, which ends with the awaited element. */
async function serveBare(bytes: number): Promise<{ url: string; stop: () => Promise<void> }> {
  const page = `<!doctype html><title>bare</title><p>first<!--${'x'.repeat(bytes)}--><p id=end>last`;
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(page));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
