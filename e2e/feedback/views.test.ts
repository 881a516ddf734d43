import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sam } from '#fixtures/business.ts';
import { chooseFromListMenu, heading, rows, signIn } from '../support/dashboard.ts';
import { DESKTOP, expectAccessible, type Journey, openJourney, PHONE, picture } from '../support/journey.ts';

/* Saved views in two browsers at once, and navigation by palette and keys. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const openFeed = async (viewport: typeof DESKTOP, at: string, person?: string) => {
  // The server rejects a taken name with 400.
  const { page, close } = await journey.visit({ viewport, expected: /status of 400/ });
  await page.goto(at);
  await signIn(page, person);
  await rows(page).first().waitFor();
  return { page, close };
};
const inNavigation = (page: Page) => page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: /^Awful ones/ });
const choose = async (page: Page, action: string): Promise<void> => {
  // On a phone, the views are in the list's menu.
  const views = page.getByRole('button', { name: 'Views' });
  await ((await views.count()) > 0 ? views : page.getByRole('button', { name: 'More for this list' })).click();
  await page.getByRole('menuitem', { name: action }).click();
};

it('a view is saved for the team, opened by a teammate, updated, deleted and restored', async () => {
  const [dana, teammate] = [await openFeed(DESKTOP, '/?range=all&rating=1'), await openFeed(PHONE, '/', sam.data.emailAddress)];
  await choose(dana.page, 'Save as a view');
  const dialog = dana.page.getByRole('dialog', { name: 'Save as a view' });
  await dialog.getByText('Enter a name.').waitFor();
  await dialog.getByLabel('Name').fill('to call back '.repeat(4));
  await dialog.getByText('At most 40 characters').waitFor();
  expect(await dialog.getByText('Enter a name.').count()).toBe(0);
  await dialog.getByLabel('Name').fill('to call BACK');
  await dialog.getByRole('radio', { name: 'Your team' }).check();
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await dialog.getByText('You already have a view with this name').waitFor();
  await dialog.getByLabel('Name').fill('Awful ones');
  await expectAccessible(dana.page);
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await heading(dana.page, 'Awful ones').waitFor();
  expect(await inNavigation(dana.page).getAttribute('aria-current')).toBe('page');
  await picture(dana.page, 'view-1440');
  // The teammate sees the view without a reload.
  await choose(teammate.page, 'Awful ones');
  await heading(teammate.page, 'Awful ones').waitFor();
  expect(new URL(teammate.page.url()).search).toMatch(/range=all&rating=1&view=SAVEDVIEW_/);
  await teammate.page.getByText('All feedback, shared by Dana Moss').waitFor();
  await teammate.page.getByRole('button', { name: 'More for this list' }).click();
  const deleteItem = teammate.page.getByRole('menuitem', { name: 'Delete view (only Dana Moss and admins can change this view)' });
  expect(await deleteItem.getAttribute('aria-disabled')).toBe('true');
  await expectAccessible(teammate.page);
  await picture(teammate.page, 'views-375');
  await teammate.page.keyboard.press('Escape');
  await dana.page.getByRole('button', { name: 'Remove Rating: Awful' }).click();
  await dana.page.getByRole('button', { name: 'Update view' }).click();
  await dana.page.getByText('Awful ones was updated.').waitFor();
  await teammate.page.getByText('Filters changed').waitFor();
  await choose(dana.page, 'Delete view');
  await heading(dana.page, 'All feedback').waitFor();
  await heading(teammate.page, 'All feedback').waitFor();
  await dana.page.getByRole('button', { name: 'Undo' }).click();
  await inNavigation(dana.page).waitFor();
  await heading(teammate.page, 'Awful ones').waitFor();
  await teammate.close();
  await navigateByKeyboard(dana.page);
  await dana.close();
});

/** Navigates with the palette and with keys. */
async function navigateByKeyboard(page: Page): Promise<void> {
  const search = page.getByLabel('Search feedback');
  await search.focus();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search or jump to' });
  await field.fill('awful');
  await page.getByRole('option', { name: 'Awful ones', selected: true }).waitFor();
  await expectAccessible(page);
  await picture(page, 'palette-1440');
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  await expect.poll(() => search.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.press('Control+k');
  await field.fill('invite');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Invite user' }).getByLabel('Name').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await heading(page, 'Urgent').waitFor();
  // The recent group comes first, and the letter after G triggered no other shortcut.
  await page.getByRole('button', { name: 'Search or jump to' }).click();
  await page.getByRole('group', { name: 'Recent' }).getByRole('option', { name: 'Invite user', selected: true }).waitFor();
  await field.fill('zeppelin');
  await page.getByText('No result for “zeppelin”.').waitFor();
  await field.fill('all feedback');
  await page.keyboard.press('Enter');
  await heading(page, 'All feedback').waitFor();
  await chooseFromListMenu(page, 'Mark all as read');
  await page.getByRole('dialog', { name: 'Mark all as read?' }).getByRole('button', { name: 'Mark all as read' }).click();
  await page.getByText('All marked as read.').waitFor();
  await expect
    .poll(() => page.getByRole('button', { name: 'More for this list' }).evaluate((button) => button === document.activeElement))
    .toBe(true);
}
