import { afterAll, beforeAll, expect, it } from 'vitest';
import { ACCOUNT_ID } from '#fixtures/business.ts';
import { signIn } from '../support/dashboard.ts';
import { DESKTOP, type Journey, openJourney, PHONE } from '../support/journey.ts';
import { expectGoodLooks } from '../support/looks.ts';

/* An admin creates an API key, a program uses it, and the admin revokes it. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

it('creates a key, shows when it was used, and revokes it', async () => {
  const { page, close } = await journey.visit({ viewport: DESKTOP });
  await page.goto('/account/api-keys');
  await signIn(page);
  await page.getByText('No API keys yet.').waitFor();
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create API key' });
  await dialog.getByLabel('Name').fill('Monthly report');
  await dialog.getByLabel('Export', { exact: true }).check();
  await expectGoodLooks(page, 'api-key-new');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('it isn’t shown again').waitFor();
  await expectGoodLooks(page, 'api-key-created');
  const key = (await dialog.locator('code').textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Read feedback, Export. Never used.').waitFor();

  const use = () =>
    fetch(`${journey.address}/api/feedback/list`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ accountId: ACCOUNT_ID, limit: 1 }),
    });
  expect((await use()).status).toBe(200);
  await page.reload();
  await page.getByText('Last used').waitFor();
  await expectGoodLooks(page, 'api-keys');
  await page.getByRole('button', { name: 'Revoke Monthly report' }).click();
  const question = page.getByRole('dialog', { name: 'Revoke Monthly report?' });
  await question.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('Monthly report was revoked.').waitFor();
  await page.getByText('No API keys yet.').waitFor();
  expect((await use()).status).toBe(401);
  await close();
});

it('creates and revokes a key in the demo', async () => {
  const { page, close } = await journey.visit({ viewport: PHONE });
  await page.goto('/demo/account/api-keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create API key' });
  await dialog.getByLabel('Name').fill('Till');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke Till' }).click();
  await page.getByRole('dialog', { name: 'Revoke Till?' }).getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('No API keys yet.').waitFor();
  await close();
});
