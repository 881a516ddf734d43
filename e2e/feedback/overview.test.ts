import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { placementOf } from '#contract/core/ids.ts';
import { till } from '#fixtures/business.ts';
import { newKey, submission } from '../../test/support/submission.ts';
import { heading, rows, signIn } from '../support/dashboard.ts';
import { DESKTOP, expectAccessible, type Journey, openJourney, PHONE, picture } from '../support/journey.ts';

/* The numbers of the business and of a property, across periods, as tables, and by word. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const cell = (page: Page, row: string) =>
  page
    .getByRole('row', { name: new RegExp(`^${row}`) })
    .getByRole('cell')
    .last();

it('updates the numbers of the business and of a property as visitors rate', async () => {
  const { page, close } = await journey.visit({ viewport: DESKTOP });
  const ratingCount = async () => Number(await cell(page, 'Rated').textContent());
  await page.goto('/overview?range=all');
  await signIn(page);
  await heading(page, 'Overview').waitFor();
  await card(page, 'Hours of the week').waitFor();
  expect(await page.getByRole('link', { name: 'Overview', exact: true }).getAttribute('aria-current')).toBe('page');
  await expectAccessible(page);
  await picture(page, 'overview-1440');

  await card(page, 'Properties compared').getByRole('link', { name: 'Pier 4' }).click();
  await heading(page, 'Pier 4').waitFor();
  await card(page, 'Placements compared').getByText('Till').waitFor();
  const ofMonth = await ratingCount();
  await page.keyboard.press(']');
  await page.waitForURL(/range=all/);
  // The previous numbers stay until the new ones arrive.
  await expect.poll(ratingCount).toBeGreaterThan(ofMonth);
  await card(page, 'Words that stand out').getByRole('link').first().waitFor();
  const openingCount = async () => Number(await cell(page, 'Opened the form').textContent());
  const [ratings, views] = [await ratingCount(), await openingCount()];

  const { idempotencyKey, payload } = submission({ rating: 5 }, { key: newKey() });
  await journey.app.call('view', 'track', { formId: payload.data.formId });
  await journey.app.call('feedback', 'save', { idempotencyKey, payload: { data: { ...payload.data, at: placementOf(till.id) } } });
  await expect.poll(ratingCount).toBe(ratings + 1);
  await expect.poll(openingCount).toBe(views + 1);

  // Each hour has its average as a number, because color alone would not do.
  const hour = card(page, 'Hours of the week')
    .getByTitle(/, \d\d:00: \d+, \d\.\d on average$/)
    .first();
  expect(await hour.textContent()).toMatch(/^\d\.\d$/);
  // A chart opens as a table by keyboard.
  const hours = card(page, 'Hours of the week');
  await hours.getByText('Show as table').focus();
  await page.keyboard.press('Enter');
  const table = hours.getByRole('table', { name: 'Ratings by hour of the week, with their average' });
  await table.getByRole('columnheader', { name: 'Sunday' }).waitFor();
  await card(page, 'Over time').getByText('Show as table').click();
  await card(page, 'Over time').getByRole('table', { name: 'Ratings by month' }).waitFor();

  const word = card(page, 'Words that stand out').getByRole('link').first();
  const term = (await word.textContent()) ?? '';
  await word.click();
  await heading(page, 'Pier 4').waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe(`"${term}"`);
  await rows(page).first().waitFor();
  await close();
});

it('says on a phone when there is too little data, and when the server fails', async () => {
  const { page, close } = await journey.visit({ viewport: PHONE, expected: /503|Failed to load/ });
  await page.goto('/demo');
  await page.getByRole('button', { name: 'Use dark theme' }).click();
  await page.goto('/demo/overview?range=week');
  await card(page, 'Words that stand out').getByText('Needs words in').waitFor();
  await expectAccessible(page);
  await picture(page, 'overview-375');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  await page.goto('/demo/properties/airport-kiosk/overview');
  await page.getByText('No ratings in this period').waitFor();
  await page.getByRole('button', { name: 'Show all time' }).click();
  await page.getByText('No ratings yet').waitFor();

  await page.goto('/overview');
  await signIn(page);
  await card(page, 'Average').waitFor();
  await page.route('**/api/data', (route) => {
    const isCount = /"insight"|"summary"/.test(route.request().postData() ?? '');
    return isCount ? route.fulfill({ status: 503, json: { code: 'overloaded' } }) : route.continue();
  });
  await page.goto('/properties/pier-4/overview');
  const alert = page.getByRole('alert').filter({ hasText: 'We couldn’t load the ratings.' });
  await alert.waitFor();
  await page.unroute('**/api/data');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await card(page, 'Average').waitFor();
  await close();
});

it('finds the waiting visitors of one property among many', async () => {
  const app = await openJourney();
  const token = await app.app.signIn();
  const save = (name: string) => app.app.call('property', 'save', { payload: { data: { displayName: name } } }, token);
  for (const letter of 'ABCDEFGHIJKLMN') await save(`${letter} street`);
  const { property } = (await save('Zoo')).body;
  const { idempotencyKey, payload } = submission({ rating: 1 });
  await app.app.call('feedback', 'save', {
    idempotencyKey,
    payload: { data: { ...payload.data, formId: property.data.formId, formVersion: 1 } },
  });
  const { page, close } = await app.visit({ viewport: DESKTOP });
  await page.goto('/');
  await signIn(page);
  const more = page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: /^\d+ more properties/ });
  await more.getByText('waiting').waitFor();
  await picture(page, 'navigation-many-1440');
  await more.click();
  await heading(page, 'Properties').waitFor();
  await expect
    .poll(() => page.getByRole('list', { name: 'Properties' }).getByRole('listitem').first().innerText())
    .toMatch(/Pier 4|Old Town|Zoo/);
  await page.getByRole('list', { name: 'Properties' }).getByRole('link', { name: 'Zoo' }).click();
  await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Zoo', exact: false }).waitFor();
  await close();
  await app.stop();
});
