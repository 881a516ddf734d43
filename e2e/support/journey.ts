import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { freePort } from '../../scripts/free-port.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { type LaunchOptions, launch } from './chromium.ts';

/** The product on a real port, and a real browser to visit it with. */
export interface Journey {
  readonly app: TestApp;
  readonly address: string;
  /** Opens a separate visit, which shares nothing with others. */
  visit(options?: VisitOptions): Promise<BrowserVisit>;
  stop(): Promise<void>;
}

export interface BrowserVisit {
  readonly page: Page;
  /** The browser's errors: broken scripts, policy violations, failed requests. */
  readonly complaints: string[];
  /** Closes the visit, and fails when the browser reported an error. */
  close(): Promise<void>;
}

export interface VisitOptions extends BrowserContextOptions {
  /** Errors that this visit provokes on purpose. */
  readonly expected?: RegExp;
  /** The theme stored on the device. */
  readonly theme?: 'light' | 'dark';
}

export const PHONE = { width: 375, height: 812 };
export const DESKTOP = { width: 1440, height: 900 };
/** A small phone, and a tablet upright and on its side. */
export const OTHER_SIZES = [
  { width: 320, height: 640 },
  { width: 768, height: 1_024 },
  { width: 1_024, height: 768 },
] as const;

export async function openJourney(settings: NodeJS.ProcessEnv = {}, options?: LaunchOptions): Promise<Journey> {
  // The sandbox serves payments on the port in the settings, so it must be known up front.
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
  context.setDefaultTimeout(PATIENT.timeout);
  const page = await context.newPage();
  if (theme) await storeTheme(page, theme);
  const complaints: string[] = [];
  const complain = (text: string): void => {
    if (!expected?.test(text)) complaints.push(text);
  };
  // The operation, because all have the same address.
  let refused = '';
  page.on('response', (response) => {
    if (response.status() >= 400) refused = /"service":"\w+","action":"\w+"/.exec(response.request().postData() ?? '')?.[0] ?? '';
  });
  page.on('console', (message) => message.type() === 'error' && complain(`${message.text()} (${message.location().url} ${refused})`));
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

/** Stores a theme on the device as the dashboard does, each time a page opens. */
export const storeTheme = (page: Page, theme: NonNullable<VisitOptions['theme']>): Promise<unknown> =>
  page.addInitScript(
    (chosen) => localStorage.setItem('afterword', JSON.stringify({ state: { theme: chosen, chosen: 1 }, version: 2 })),
    theme,
  );

/** Delays the site's scripts as a slow connection does, and returns a function that releases them. */
export const holdScripts = (page: Page): Promise<() => void> => holdBack(page, '**/assets/*.js');

/** Delays requests to the addresses, or those whose body matches, and returns a function that releases them. */
export async function holdBack(page: Page, addresses: string, body = /(?:)/): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(addresses, async (route) => {
    if (body.test(route.request().postData() ?? '')) await released;
    await route.continue();
  });
  return () => release();
}

interface UnhydratedVisit extends BrowserVisit {
  /** Releases the scripts, and waits until React has hydrated the document. */
  readonly hydrate: () => Promise<unknown>;
}

/** Ends a page that has no network. Leaving or closing it would first end that, so that it could still send. */
export async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const hasCrashed = page.waitForEvent('crash');
  const isUnanswered = expect(session.send('Page.crash')).rejects.toThrow('closed');
  await hasCrashed;
  await page.close();
  await isUnanswered;
}

/** Opens an address whose scripts are delayed. */
export async function visitUnhydrated(journey: Journey, address: string, options?: VisitOptions): Promise<UnhydratedVisit> {
  const visit = await journey.visit(options);
  const release = await holdScripts(visit.page);
  await visit.page.goto(address, { waitUntil: 'commit' });
  await visit.page.locator('script[type=module]').waitFor({ state: 'attached' });
  return {
    ...visit,
    async hydrate() {
      release();
      await hydrated(visit.page, 'main h1');
    },
  };
}

/** Waits until React has hydrated an element, which it then marks with a property. */
export async function hydrated(page: Page, selector: string): Promise<void> {
  await page.waitForFunction(
    (each) => Object.keys(document.querySelector(each) ?? {}).some((name) => name.startsWith('__reactFiber$')),
    selector,
  );
}

/** Waits for the page to settle, then expects no WCAG 2.2 A or AA violation and no horizontal scrolling. */
export async function expectAccessible(page: Page): Promise<void> {
  await settled(page);
  await expectNoFinding(page);
}

/** Expects the same of a page that is still loading. */
export async function expectNoFinding(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    // Checking a page without frames in one pass, and listing only violations, halves the time.
    .setLegacyMode(page.frames().length === 1)
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  const findings: string[] = [];
  for (const { id, nodes } of violations)
    for (const { target, html, failureSummary } of nodes)
      if (id !== 'target-size' || !(await isLargeEnough(page, target.join(' '))))
        findings.push(`${id}: ${target.join(' ')}: ${html} ${failureSummary}`);
  expect(findings).toEqual([]);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await expectWholeIcons(page);
}

/** Expects a resized page to fit its width, and no icon to be squeezed. A chart is drawn for a new width a frame later. */
export async function expectFit(page: Page): Promise<void> {
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await expectWholeIcons(page);
}

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Waits, because a changed size may hide icons between finding and measuring them. */
async function expectWholeIcons(page: Page): Promise<void> {
  const icons = page.locator('svg.tabler-icon').filter({ visible: true });
  const isSqueezed = (all: Element[]) =>
    all.filter((icon) => icon.clientWidth < Number(icon.getAttribute('width'))).map(({ classList }) => `${classList}`);
  await expect.poll(() => icons.evaluateAll(isSqueezed)).toEqual([]);
}

/** Checks a target once more in the middle of the screen, because a fixed bar may have covered part of it. */
async function isLargeEnough(page: Page, selector: string): Promise<boolean> {
  await page.locator(selector).evaluate((target) => target.scrollIntoView({ block: 'center' }));
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(page.frames().length === 1)
    .withRules(['target-size'])
    .include(selector)
    .analyze();
  return violations.length === 0;
}

/** Saves a screenshot in the folder named by SCREENSHOTS, if any. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}

/** Waits until nothing loads and nothing moves. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-busy=true]') === null &&
      document.getAnimations().every(({ playState }) => playState === 'finished' || playState === 'idle'),
  );
}
