import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pier } from '#fixtures/business.ts';
import { signIn } from '../support/dashboard.ts';
import { DESKTOP, expectAccessible, type Journey, openJourney, PHONE, picture } from '../support/journey.ts';
import { expectGoodLooks } from '../support/looks.ts';

/* An admin answers a visitor's request about their data, and limits how long words are stored. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const EMAIL = 'tom.becker@example.com';

it('finds, downloads and erases what a visitor gave', async () => {
  const { page, close } = await journey.visit({ viewport: DESKTOP });
  await page.goto('/account/administration');
  await signIn(page);
  const card = page.getByRole('region', { name: 'Visitor requests' });
  const field = card.getByLabel('Email address or phone number');
  await field.fill('Tom');
  await card.getByRole('button', { name: 'Find' }).click();
  await card.getByText('Enter an email address or a phone number').waitFor();
  await field.fill('no.one@example.com');
  await card.getByRole('button', { name: 'Find' }).click();
  await card.getByText('No answer has this address or number.').waitFor();
  await field.fill(EMAIL.toUpperCase());
  await card.getByRole('button', { name: 'Find' }).click();
  const answers = card.getByRole('region', { name: 'Answers' });
  const total = (await answers.getByRole('status').locator('strong').textContent()) ?? '';
  const count = Number.parseInt(total, 10);
  expect(count).toBeGreaterThan(1);
  await expectAccessible(page);
  await picture(page, 'visitor-requests-1440');

  const downloading = page.waitForEvent('download');
  await answers.getByRole('button', { name: 'Download as a file' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^afterword-visitor-\d{4}-\d\d-\d\d\.json$/);
  expect(JSON.parse((await readFile(await file.path())).toString()).answers).toHaveLength(count);

  await answers.getByRole('button', { name: 'Erase' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`Erase the words and contact details of ${total}?`).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Erase' }).click();
  await card.getByText(`${total} erased.`).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await card.getByRole('button', { name: 'Find' }).click();
  await card.getByText('No answer has this address or number.').waitFor();
  await close();
});

it('deletes words after a chosen number of months', async () => {
  const { page, close } = await journey.visit({ viewport: PHONE });
  await page.goto('/properties/pier-4/configuration?tab=privacy');
  await signIn(page);
  const card = page.getByRole('region', { name: 'Data retention' });
  await card.getByLabel('Delete words and contact details').selectOption('After 12 months');
  await card.getByRole('button', { name: 'Save period' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete words after 12 months?' });
  await dialog.getByText('No answer is that old yet.').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save period' }).click();
  await page.getByText('Words are deleted after 12 months.').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.reload();
  await expect.poll(() => card.getByLabel('Delete words and contact details').inputValue()).toBe('12');
  await expectAccessible(page);
  await picture(page, 'retention-375');
  await close();
});

it.each([
  ['en', PHONE, 'light'],
  ['ar', PHONE, 'dark'],
  ['ja', DESKTOP, 'light'],
  ['en', DESKTOP, 'dark'],
] as const)('reads a form’s privacy page in %s at %o, %s', async (language, viewport, theme) => {
  const { page, close } = await journey.visit({ viewport, theme });
  await page.goto(`/feedback/${pier.data.formId}?lang=${language}`);
  await page.locator('.foot a').click();
  await page.waitForURL(/\/privacy\?lang=/);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expectAccessible(page);
  await picture(page, `privacy-page-${language}-${viewport.width}-${theme}`);
  await close();
});

it('sets the address for questions about data', async () => {
  const { page, close } = await journey.visit({ viewport: DESKTOP });
  await page.goto('/properties/pier-4/configuration?tab=privacy');
  await signIn(page);
  const card = page.getByRole('region', { name: 'Privacy page' });
  const field = card.getByLabel('Email address for questions about data');
  await field.fill('nobody');
  await card.getByRole('button', { name: 'Save address' }).click();
  await card.getByText('Please enter a valid email').waitFor();
  await field.fill('data@harbor.coffee');
  await card.getByRole('button', { name: 'Save address' }).click();
  await page.getByText('Visitors are asked to write to data@harbor.coffee.').waitFor();
  await expectGoodLooks(page, 'privacy-tab');
  const [reader] = await Promise.all([page.waitForEvent('popup'), card.getByRole('link', { name: /^Open the privacy page/ }).click()]);
  await reader.getByRole('link', { name: 'data@harbor.coffee' }).waitFor();
  await close();
});

it('lists a visitor’s sample answers in the demo, and links them to the feed', async () => {
  const { page, close } = await journey.visit({ viewport: PHONE });
  await page.goto('/demo/account/administration');
  const card = page.getByRole('region', { name: 'Visitor requests' });
  await card.getByLabel('Email address or phone number').fill('555 0142');
  await card.getByRole('button', { name: 'Find' }).click();
  await card.getByRole('button', { name: 'Download as a file' }).click();
  await card.getByRole('alert').getByText('the visitors aren’t real').waitFor();
  await card.getByRole('link').first().click();
  await page.getByText('555-0142').first().waitFor();
  await close();
});
