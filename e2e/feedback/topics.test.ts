import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submission } from '../../test/support/submission.ts';
import { signIn } from '../support/dashboard.ts';
import { DESKTOP, holdBack, type Journey, openJourney } from '../support/journey.ts';
import { expectGoodLooks } from '../support/looks.ts';

/* An admin chooses topics, changes one, and reads the answers about it. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const topic = (page: Page, name: string) => page.getByRole('list', { name: 'Topics' }).getByRole('listitem').filter({ hasText: name });

describe('topics', () => {
  it('appear in the overview once they are loaded', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    const release = await holdBack(page, '**/api/data', /"topic"/);
    await page.goto('/overview');
    await signIn(page);
    await page.getByRole('region', { name: 'Words that stand out' }).waitFor();
    expect(await page.getByRole('region', { name: 'Topics' }).count()).toBe(0);
    await page.goto('/account/topics');
    await page.getByText('Loading', { exact: true }).waitFor();
    release();
    await page.getByRole('region', { name: 'What is your business?' }).waitFor();
    await close();
  });

  it('are chosen, changed, and counted at once', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/overview');
    await signIn(page);
    await page.getByRole('link', { name: 'Choose topics' }).click();
    await page.getByLabel('Restaurant, café or bar').check();
    await expectGoodLooks(page, 'topics-choice');
    await page.getByRole('button', { name: 'Create topics' }).click();
    await topic(page, 'Staff').waitFor();
    await expectGoodLooks(page, 'topics');

    await page.getByRole('button', { name: 'Add topic' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add topic' });
    await dialog.getByLabel('Name').fill('Music');
    await dialog.getByLabel('Phrases').fill('one two three four');
    await dialog.getByText('Enter one to 3 words').waitFor();
    await journey.app.call('feedback', 'save', submission({ rating: 1, text: 'The accordion was far too loud' }));
    await dialog.getByLabel('Phrases').fill('accordion*');
    await dialog.getByText('1 answer matches.').waitFor();
    await dialog.getByText('The accordion was far too loud').waitFor();
    await expectGoodLooks(page, 'topics-edit');
    await dialog.getByRole('button', { name: 'Save topic' }).click();
    await topic(page, 'Music').waitFor();

    await page.goto('/overview');
    const card = page.getByRole('region', { name: 'Topics' });
    await card.getByRole('button', { name: 'Music' }).waitFor();
    await expectGoodLooks(page, 'topics-overview');
    await card.getByRole('button', { name: 'Music' }).click();
    await page.getByRole('list', { name: 'Answers about Music' }).getByRole('link').waitFor();
    await expectGoodLooks(page, 'topics-examples');
    await close();
  });

  it('are merged, hidden and deleted in the demo', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/demo/overview');
    await page.getByRole('region', { name: 'Topics' }).getByRole('row').nth(1).waitFor();
    await expectGoodLooks(page, 'topics-demo');
    await page.getByRole('link', { name: 'Edit topics' }).click();
    await topic(page, 'Service').getByRole('button').click();
    const service = page.getByRole('dialog', { name: 'Service' });
    await service.getByLabel('Merge into another topic').selectOption({ label: 'Staff' });
    await service.getByRole('button', { name: 'Merge' }).click();
    await page.getByText('Service is now part of Staff.').waitFor();
    await expect.poll(() => topic(page, 'Service').count()).toBe(0);
    await topic(page, 'Staff').getByRole('button').click();
    const staff = page.getByRole('dialog', { name: 'Staff' });
    await staff.getByLabel('Show in the overview').click();
    await staff.getByRole('button', { name: 'Save topic' }).click();
    await topic(page, 'Staff').getByText('Hidden').waitFor();
    await topic(page, 'Staff').getByRole('button').click();
    await staff.getByRole('button', { name: 'Delete topic' }).click();
    await page.getByRole('dialog', { name: 'Delete Staff?' }).getByRole('button', { name: 'Delete topic' }).click();
    await page.getByText('Staff was deleted.').waitFor();
    await close();
  });
});
