import process from 'node:process';
import type { Page } from 'playwright-core';
import { DESKTOP, expectAccessible, expectFit, OTHER_SIZES, PHONE, picture, settled } from './journey.ts';

/** Checks each width and theme once; SCREENSHOTS adds the other two combinations. */
const DIAGONAL = [
  { viewport: PHONE, theme: 'light' },
  { viewport: DESKTOP, theme: 'dark' },
] as const;
const ALL = [...DIAGONAL, { viewport: PHONE, theme: 'dark' }, { viewport: DESKTOP, theme: 'light' }] as const;
/** The rows of an `it.each` table. */
export const EACH_LOOK = ALL.map(({ viewport, theme }) => [viewport === PHONE ? 'phone' : 'desk', viewport, theme] as const);
const LOOKS = process.env['SCREENSHOTS'] === undefined ? DIAGONAL : ALL;

/** Expects the current screen to fit every size, and to be accessible on a phone and a desktop, light and dark. */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? DESKTOP;
  try {
    for (const { viewport, theme } of LOOKS) {
      await page.setViewportSize(viewport);
      await chooseTheme(page, theme);
      await expectAccessible(page);
      await picture(page, `${name}-${viewport.width}-${theme}`);
    }
    for (const viewport of OTHER_SIZES) {
      await page.setViewportSize(viewport);
      await settled(page);
      await expectFit(page);
      await picture(page, `${name}-${viewport.width}`);
    }
  } finally {
    // A retry, and the tests after a failed one, start with the same size.
    await page.setViewportSize(before);
  }
}

/** Switches the theme as another tab would. */
export async function chooseTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((chosen) => {
    const key = 'afterword';
    const newValue = JSON.stringify({ ...JSON.parse(localStorage.getItem(key) ?? '{"version":2}'), state: { theme: chosen } });
    localStorage.setItem(key, newValue);
    dispatchEvent(new StorageEvent('storage', { key, newValue }));
  }, theme);
  await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor();
}
