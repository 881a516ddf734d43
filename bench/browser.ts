import type { BrowserContext, Page } from 'playwright-core';
import { launch } from '../e2e/support/chromium.ts';

/** A visit with nothing cached, on slow 4G and a slow processor. */
export interface FirstLoad {
  /** First contentful paint (ms). */
  readonly firstPaint: number;
  /** When the awaited element appeared (ms). */
  readonly ready: number;
  /** Bytes transferred until then, compressed, with headers. */
  readonly bytes: number;
  readonly requests: number;
}

interface LoadedPage {
  readonly url: string;
  /** The element to wait for. */
  readonly ready: string;
}

export interface BrowserBench {
  /** First contentful paint (ms) of a visit with nothing cached, on slow 4G and a slow processor. */
  firstPaint(url: string): Promise<number>;
  /** Measures the time until an element appears. */
  firstLoad(page: LoadedPage): Promise<FirstLoad>;
  /** Measures the same on `later` return visits, after a first one. */
  laterLoads(page: LoadedPage, visits: { first: (page: Page) => Promise<unknown>; later: number }): Promise<FirstLoad[]>;
  /** Returns the compressed bytes that a visit transfers until the network is idle, by kind of resource. */
  transferred(url: string): Promise<Map<string, number>>;
}

const PHONE = { width: 375, height: 812 };
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };

export async function withBrowser(work: (bench: BrowserBench) => Promise<void>): Promise<void> {
  const browser = await launch({ isWhole: true });
  const visit = async <T>(url: string, measure: (page: Page) => Promise<T>, prepare?: (page: Page) => Promise<void>): Promise<T> => {
    const context = await browser.newContext({ viewport: PHONE });
    const page = await context.newPage();
    try {
      await prepare?.(page);
      await page.goto(url, { waitUntil: 'networkidle' });
      return await measure(page);
    } finally {
      await context.close();
    }
  };
  try {
    await work({
      firstPaint: (url) => visit(url, paintOf, slowDown),
      async firstLoad(page) {
        const context = await browser.newContext({ viewport: PHONE });
        try {
          return await load(context, page);
        } finally {
          await context.close();
        }
      },
      async laterLoads(page, { first, later }) {
        const context = await browser.newContext({ viewport: PHONE });
        try {
          const visit = await context.newPage();
          await visit.goto(page.url);
          await first(visit);
          await visit.close();
          const loads: FirstLoad[] = [];
          for (let count = 0; count < later; count += 1) loads.push(await load(context, page));
          return loads;
        } finally {
          await context.close();
        }
      },
      async transferred(url) {
        const bytes = new Map<string, number>();
        await visit(
          url,
          async () => undefined,
          (page) => listen(page, bytes),
        );
        return bytes;
      },
    });
  } finally {
    await browser.close();
  }
}

async function load(context: BrowserContext, { url, ready }: LoadedPage): Promise<FirstLoad> {
  const page = await context.newPage();
  try {
    await slowDown(page);
    const session = await context.newCDPSession(page);
    const done = { bytes: 0, requests: 0 };
    await session.send('Network.enable');
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      done.bytes += encodedDataLength;
      done.requests += 1;
    });
    const started = performance.now();
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForSelector(ready, { timeout: 60_000 });
    return { ready: performance.now() - started, ...done, firstPaint: await paintOf(page) };
  } finally {
    await page.close();
  }
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW_4G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

const paintOf = (page: Page): Promise<number> =>
  page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN);

async function listen(page: Page, bytes: Map<string, number>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const kinds = new Map<string, string>();
  await session.send('Network.enable');
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? 'Other';
    bytes.set(kind, (bytes.get(kind) ?? 0) + encodedDataLength);
  });
}
