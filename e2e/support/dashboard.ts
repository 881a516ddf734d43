import type { Locator, Page } from 'playwright-core';
import { dana } from '#fixtures/business.ts';
import { SAMPLE_PASSWORD } from '../../test/support/app.ts';

/** Signs in on the page that is open: as Dana, who is an admin, unless somebody else is named. */
export async function signIn(page: Page, email = dana.data.emailAddress, password = SAMPLE_PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export const heading = (page: Page, name: string): Locator => page.getByRole('heading', { level: 1, name });

/** Waits until a page says this. */
export const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor();

export const hasFocus = (part: Locator): Promise<boolean> => part.evaluate((element) => element === document.activeElement);

/** Whether nothing lies over its middle. */
export const isOnTop = (part: Locator): Promise<boolean> =>
  part.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });

/** The feed's rows. Each has its feedback's id. */
export const rows = (page: Page): Locator => page.locator('main a[id^=EXPERIENCE]');
