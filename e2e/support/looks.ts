import process from 'node:process';
import type { Page } from 'playwright-core';
import { DESKTOP, expectAccessible, PHONE, picture } from './journey.ts';

/** Each width and each theme once; the other two looks are seen where pictures are asked for. */
const ACROSS = [
  { viewport: PHONE, theme: 'light' },
  { viewport: DESKTOP, theme: 'dark' },
] as const;
const ALL = [...ACROSS, { viewport: PHONE, theme: 'dark' }, { viewport: DESKTOP, theme: 'light' }] as const;
/** For a table of tests. */
export const EACH_LOOK = ALL.map(({ viewport, theme }) => [viewport === PHONE ? 'phone' : 'desk', viewport, theme] as const);
const LOOKS = process.env['SCREENSHOTS'] === undefined ? ACROSS : ALL;

/** The screen that is shown, on a phone and a desk, light and dark: accessible, and nothing to scroll sideways. */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? DESKTOP;
  for (const { viewport, theme } of LOOKS) {
    await page.setViewportSize(viewport);
    await chooseTheme(page, theme);
    await expectAccessible(page);
    await picture(page, `${name}-${viewport.width}-${theme}`);
  }
  await page.setViewportSize(before);
}

/** As another tab would choose it. */
export async function chooseTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((chosen) => {
    const key = 'afterword';
    const newValue = JSON.stringify({ ...JSON.parse(localStorage.getItem(key) ?? '{"version":2}'), state: { theme: chosen } });
    localStorage.setItem(key, newValue);
    dispatchEvent(new StorageEvent('storage', { key, newValue }));
  }, theme);
  await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor();
}
