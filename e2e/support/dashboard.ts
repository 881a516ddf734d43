import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { dana } from '#fixtures/business.ts';
import { SAMPLE_PASSWORD } from '../../test/support/app.ts';

/** Signs in on the open page, as the admin Dana by default. */
export async function signIn(page: Page, email = dana.data.emailAddress, password = SAMPLE_PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button(page, 'Sign in').click();
}

export const heading = (page: Page, name: string): Locator => page.getByRole('heading', { level: 1, name });

/** Finds the first heading of any level, such as a dialog's. */
export const anyHeading = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { name }).first();

export const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name, exact: true });

/** Returns an email address that no one has. */
export const newAddress = (): string => `${randomUUID().slice(0, 8)}@newshop.test`;

/** Returns a wait until a page shows the text. */
export const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor();

export const hasFocus = (part: Locator): Promise<boolean> => part.evaluate((element) => element === document.activeElement);

/** Returns whether nothing covers the middle of an element. */
export const isOnTop = (part: Locator): Promise<boolean> =>
  part.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });

/** Returns the feed's rows, whose ids are those of their feedback. */
export const rows = (page: Page): Locator => page.locator('main a[id^=EXPERIENCE]');

/** Chooses an entry of the menu of what is done with a list rarely. */
export async function chooseFromListMenu(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: 'More for this list' }).click();
  await page.getByRole('menuitem', { name }).click();
}

/** Holds back an operation's calls, and returns a function that releases them. */
export async function holdCalls(page: Page, call: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/data', async (route) => {
    if (route.request().postData()?.includes(call)) await released;
    await route.continue();
  });
  return () => release();
}
