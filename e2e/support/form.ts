import type { Locator, Page } from 'playwright-core';
import { pier } from '#fixtures/business.ts';

/** The address of Pier 4's form. */
export const FORM = `/feedback/${pier.data.formId}`;

/** Waits until the page's program runs. */
export const isLive = (page: Page) => page.waitForFunction(() => 'live' in document.documentElement.dataset);

/** Returns the key of the page's submission. */
export const keyOf = (page: Page): Promise<string> => page.locator('input[name=key]').inputValue();

/** Finds a face by its English word. */
export const face = (page: Page, name: string): Locator => page.getByRole('radio', { name });

/** Hides the page, as switching apps on a phone does. The browser may never show it again. */
export const switchApps = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
