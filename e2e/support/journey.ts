import { existsSync } from 'node:fs';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { openTestApp, type TestApp } from '../../test/support/app.ts';

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
/** The first two are drawn for the address bar of each new window: two pages of the browser’s own, which cost more than ours. */
const SWITCHED_OFF = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  // What playwright-core switches off; the browser heeds one list only.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${SWITCHED_OFF.join()}`,
];
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export async function openJourney(settings: NodeJS.ProcessEnv = {}): Promise<Journey> {
  const app = await openTestApp({ settings, sandboxDelay: 0 });
  const browser = await launch();
  const address = await app.app.http.listen({ host: '127.0.0.1', port: Number(settings['PORT'] ?? 0) });
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

export function launch(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? PLACES.find(existsSync);
  if (!executablePath) throw new Error('There is no Chromium; set CHROMIUM to the path of one');
  return chromium.launch({ executablePath, args: FLAGS });
}

export async function visit(browser: Browser, { expected, theme, ...options }: VisitOptions): Promise<BrowserVisit> {
  const context = await browser.newContext({ viewport: PHONE, ...options });
  context.setDefaultTimeout(10_000);
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
export async function holdScripts(page: Page): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  return () => release();
}

/** No finding of WCAG 2.2 A or AA, and nothing to scroll sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  await settled(page);
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
