import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { dana } from '#fixtures/business.ts';
import { type BrowserBench, type FirstLoad, withBrowser } from './browser.ts';
import { kilobytes, line, median, times } from './measure.ts';
import type { BenchProduct } from './product.ts';

const ROUNDS = 5;
/** Of the feed. */
const ROWS = 'main a[id^=EXPERIENCE]';

/** What somebody waits for who opens the dashboard for the first time, and what shows that it is there. */
const PAGES = {
  'the demo’s rows': { path: '/demo', ready: ROWS },
  // Once React has begun to hydrate it.
  'the demo’s page at work': { path: '/demo', ready: `html[data-live] ${ROWS}` },
  'the field to sign in with': { path: '/', ready: 'input[type=email]:not(:disabled)' },
};

/** Until a cold page can be used, on slow 4G and a processor four times as slow, beside a bare page of the same weight. */
export async function measureFirstLoad({ address, pool }: BenchProduct): Promise<void> {
  const { password } = await pool();
  await withBrowser(async (browser) => {
    const again = await browser.laterLoads({ url: `${address}/`, ready: ROWS }, { first: (page) => comeIn(page, password), later: ROUNDS });
    for (const [name, { path, ready }] of Object.entries(PAGES)) {
      const ours = await rounds(browser, { url: `${address}${path}`, ready });
      const bytes = median(ours.map((load) => load.bytes));
      const bare = await serveBare(bytes);
      const theirs = await rounds(browser, { url: bare.url, ready: '#end' });
      await bare.stop();
      const [us, them] = [median(ours.map((load) => load.ready)), median(theirs.map((load) => load.ready))];
      line(`a bare page of the weight of ${name}`, `${Math.round(them)} ms`, 'baseline (slow 4G, 4× slower processor)');
      line(`${name}, first paint`, `${Math.round(median(ours.map((load) => load.firstPaint)))} ms`);
      line(
        name,
        `${Math.round(us)} ms`,
        `${times(us / them)} the bare page, ${kilobytes(bytes)} in ${median(ours.map((load) => load.requests))} requests`,
      );
    }
    const [ready, painted] = [median(again.map((load) => load.ready)), median(again.map((load) => load.firstPaint))];
    line('a second visit, first paint', `${Math.round(painted)} ms`);
    line('a second visit’s rows', `${Math.round(ready)} ms`, `${kilobytes(median(again.map((load) => load.bytes)))}, kept since the first`);
  });
}

/** Signs in, and stays until the rows are kept. */
async function comeIn(page: Page, password: string): Promise<void> {
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

/** HTML that ends with what is waited for, as heavy as is asked for (bytes), and nothing to run. */
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
