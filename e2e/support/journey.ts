import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { freePort } from '../../scripts/free-port.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { type LaunchOptions, launch } from './chromium.ts';

/** The product on a real port, and a real browser to visit it with. */
export interface Journey {
  readonly app: TestApp;
  readonly address: string;
  /** A visit of its own: nothing is shared with others. */
  visit(options?: VisitOptions): Promise<BrowserVisit>;
  stop(): Promise<void>;
}

export interface BrowserVisit {
  readonly page: Page;
  /** What the browser complained of: scripts that broke, policies that were broken, requests that failed. */
  readonly complaints: string[];
  /** Fails when the browser complained, and closes it. */
  close(): Promise<void>;
}

export interface VisitOptions extends BrowserContextOptions {
  /** Complaints that this visit provokes on purpose. */
  readonly expected?: RegExp;
  /** As this device keeps it. */
  readonly theme?: 'light' | 'dark';
}

export const PHONE = { width: 375, height: 812 };
export const DESKTOP = { width: 1440, height: 900 };

export async function openJourney(settings: NodeJS.ProcessEnv = {}, options?: LaunchOptions): Promise<Journey> {
  // The product asks the sandbox for payments at the port of its settings.
  const port = settings['BILLING'] === 'sandbox' ? await freePort() : 0;
  const app = await openTestApp({ settings: port > 0 ? { ...settings, PORT: String(port) } : settings });
  const browser = await launch(options);
  const address = await app.app.http.listen({ host: '127.0.0.1', port });
  return {
    app,
    address,
    visit: (options) => visit(browser, { baseURL: address, ...options }),
    async stop() {
      await browser.close();
      await app.stop();
    },
  };
}

export async function visit(browser: Browser, { expected, theme, ...options }: VisitOptions): Promise<BrowserVisit> {
  const context = await browser.newContext({ viewport: PHONE, ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  if (theme) await keepTheme(page, theme);
  const complaints: string[] = [];
  const complain = (text: string): void => {
    if (!expected?.test(text)) complaints.push(text);
  };
  page.on('console', (message) => message.type() === 'error' && complain(`${message.text()} (${message.location().url})`));
  page.on('pageerror', (error) => complain(error.message));
  return {
    page,
    complaints,
    async close() {
      await context.close();
      expect(complaints).toEqual([]);
    },
  };
}

/** Leaves a theme on the device as the dashboard keeps it, at each opening of a page. */
export const keepTheme = (page: Page, theme: NonNullable<VisitOptions['theme']>): Promise<unknown> =>
  page.addInitScript((chosen) => localStorage.setItem('afterword', JSON.stringify({ state: { theme: chosen }, version: 1 })), theme);

/** Holds the site's scripts back, as a slow line does; gives what lets them through. */
export const holdScripts = (page: Page): Promise<() => void> => holdBack(page, '**/assets/*.js');

/** The same for what is asked of these addresses. */
export async function holdBack(page: Page, addresses: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(addresses, async (route) => {
    await released;
    await route.continue();
  });
  return () => release();
}

export interface UnhydratedVisit extends BrowserVisit {
  /** Lets the program come, and waits until React has hydrated what the document shows. */
  readonly hydrate: () => Promise<unknown>;
}

/** An address whose scripts do not come yet. */
export async function visitUnhydrated(journey: Journey, address: string, options?: VisitOptions): Promise<UnhydratedVisit> {
  const held = await journey.visit(options);
  const release = await holdScripts(held.page);
  await held.page.goto(address, { waitUntil: 'commit' });
  await held.page.locator('script[type=module]').waitFor({ state: 'attached' });
  return {
    ...held,
    async hydrate() {
      release();
      await hydrated(held.page, 'main h1');
    },
  };
}

/** Waits until React has hydrated an element: it marks those that it knows. */
export async function hydrated(page: Page, selector: string): Promise<void> {
  await page.waitForFunction(
    (each) => Object.keys(document.querySelector(each) ?? {}).some((name) => name.startsWith('__reactFiber$')),
    selector,
  );
}

/** No finding of WCAG 2.2 A or AA, and nothing to scroll sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  await settled(page);
  await expectNoFinding(page);
}

/** The same while something is still to come. */
export async function expectNoFinding(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    // A page without frames is looked at in one go, and what holds is not listed: half the time.
    .setLegacyMode(page.frames().length === 1)
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  expect(
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, html, failureSummary }) => `${id}: ${target.join(' ')}: ${html} ${failureSummary}`),
    ),
  ).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
}

/** Kept where SCREENSHOTS names a folder, for people to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}

/** Nothing loads and nothing moves any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-busy=true]') === null &&
      document.getAnimations().every(({ playState }) => playState === 'finished' || playState === 'idle'),
  );
}
