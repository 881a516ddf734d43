import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { airport, oldTown, pier } from '#fixtures/business.ts';
import { submission } from '../../test/support/submission.ts';
import { button, heading, holdCalls, signIn } from '../support/dashboard.ts';
import { DESKTOP, type Journey, openJourney, settled } from '../support/journey.ts';

/* Someone continues before the server has answered, or while a teammate changes the same record. */

let journey: Journey;
let token: string;
beforeAll(async () => {
  journey = await openJourney({ OUTBOUND_ALLOW_PRIVATE: 'true' });
  token = await journey.app.signIn();
});
afterAll(() => journey.stop());

async function open(address: string): Promise<{ page: Page; close: () => Promise<void> }> {
  const { page, close } = await journey.visit({ viewport: DESKTOP });
  await page.goto(address);
  await signIn(page);
  return { page, close };
}

const status = (page: Page, words: string) => page.getByRole('status').filter({ hasText: words }).first();
const editProperty = async (page: Page, name: string) => {
  await button(page, `More for ${name}`).click();
  await page.getByRole('menuitem', { name: 'Edit name, time zone and links' }).click();
  const panel = page.getByRole('dialog', { name: 'Property' });
  await panel.getByLabel('Name').waitFor();
  return panel;
};

describe('a late answer', () => {
  it('closes its dialog only, and not what was opened since', async () => {
    const { page, close } = await open('/account/user-management');
    await button(page, 'Invite user').click();
    const dialog = page.getByRole('dialog', { name: 'Invite user' });
    const email = dialog.getByLabel('Email');
    await dialog.getByLabel('Name').fill('Lena Ott');
    await email.fill('lena@harborcoffee.test');
    const release = await holdCalls(page, '"service":"user","action":"generate"');
    await button(page, 'Send invitation').click();
    // What is typed now would be lost when the dialog closes.
    await email.press('End');
    await email.pressSequentially('x');
    expect(await email.inputValue()).toBe('lena@harborcoffee.test');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await button(page, 'Invite user').click();
    await dialog.getByLabel('Name').fill('Max Ott');
    release();
    await status(page, 'Invitation sent to lena@harborcoffee.test.').waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Max Ott');
    await close();
  });

  it('closes its panel only, and stays on the page', async () => {
    const { page, close } = await open('/properties');
    const panel = await editProperty(page, oldTown.data.displayName);
    await panel.getByLabel('Name').fill('Old Town Square');
    const release = await holdCalls(page, '"service":"property","action":"save"');
    await button(page, 'Save property').click();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await button(page, 'New property').click();
    await panel.getByLabel('Name').fill('Quay 9');
    release();
    await status(page, 'Old Town Square saved.').waitFor();
    expect(await panel.getByLabel('Name').inputValue()).toBe('Quay 9');
    await page.goBack();
    await panel.waitFor({ state: 'detached' });
    await heading(page, 'Properties').waitFor();
    await close();
  });

  it('about a retention period asks about that period', async () => {
    const { page, close } = await open(`/properties/${pier.id}/configuration?tab=privacy`);
    const period = page.getByLabel('Delete words and contact details');
    await period.selectOption('24');
    const release = await holdCalls(page, 'previewRetention');
    await button(page, 'Save period').click();
    await period.selectOption('3');
    release();
    await page.getByRole('dialog', { name: 'Delete words after 24 months?' }).waitFor();
    await close();
  });

  it('about a visitor isn’t shown below another’s address', async () => {
    await journey.app.call('feedback', 'save', submission({ rating: 2, contact: { answer: 'Yes', email: 'ana@example.com' } }));
    const { page, close } = await open('/account/administration');
    const contact = page.getByLabel('Email address or phone number');
    await contact.fill('ana@example.com');
    const release = await holdCalls(page, '"service":"privacy","action":"find"');
    const response = page.waitForResponse((each) => each.request().postData()?.includes('"find"') ?? false);
    await button(page, 'Find').click();
    await contact.fill('bob@example.com');
    release();
    await response;
    await button(page, 'Find').and(page.locator(':not([data-loading])')).waitFor();
    expect(await page.getByRole('region', { name: 'Answers' }).count()).toBe(0);
    await button(page, 'Find').click();
    await page.getByText('No answer has this address or number.').waitFor();
    await close();
  });
});

it('Escape closes only what is on top', async () => {
  const { page, close } = await open('/account/user-management');
  await button(page, 'Invite user').click();
  const dialog = page.getByRole('dialog', { name: 'Invite user' });
  await dialog.getByLabel('Name').fill('Lena Ott');
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });
  // The second time, a dialog that was closing would be gone.
  for (let time = 0; time < 2; time += 1) {
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await settled(page);
  }
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Lena Ott');
  await dialog.getByLabel('Name').focus();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await close();
});

it('a click beside a form closes it only without changes', async () => {
  const { page, close } = await open('/account/user-management?panel=report-bug');
  const words = page.getByRole('dialog', { name: 'Report a bug' }).getByLabel('What happened?');
  await words.fill('The list is empty.');
  await page.mouse.click(5, 400);
  await settled(page);
  expect(await words.inputValue()).toBe('The list is empty.');
  await words.clear();
  await settled(page);
  await page.mouse.click(5, 400);
  await words.waitFor({ state: 'detached' });
  await close();
});

describe('what a teammate changes while someone edits', () => {
  it('stays in a property whose other settings are saved', async () => {
    const { page, close } = await open('/properties');
    const panel = await editProperty(page, airport.data.displayName);
    const service = [{ name: 'Yelp', url: 'https://www.yelp.com/biz/airport' }];
    await journey.app.call('property', 'save', { payload: { id: airport.id, data: { service } } }, token);
    await panel.getByLabel('Time zone').selectOption('Europe/Vienna');
    await button(page, 'Save property').click();
    await panel.waitFor({ state: 'detached' });
    const { property } = (await journey.app.call('property', 'get', { propertyId: airport.id }, token)).body;
    expect(property.data).toMatchObject({ service, timeZone: 'Europe/Vienna' });
    await close();
  });

  it('stays in a topic whose name is saved', async () => {
    const save = (data: object, id?: string) =>
      journey.app.call('topic', 'save', { payload: { ...(id !== undefined && { id }), data } }, token);
    const { topic } = (await save({ displayName: 'Parking', phrases: ['parking'] })).body;
    const { page, close } = await open('/account/topics');
    await button(page, 'Parking').click();
    const dialog = page.getByRole('dialog', { name: 'Parking' });
    await dialog.getByLabel('Name').waitFor();
    await save({ phrases: ['parking', 'garage'] }, topic.id);
    await dialog.getByLabel('Name').fill('Cars');
    await button(page, 'Save topic').click();
    await status(page, 'Cars saved').waitFor();
    const { topics } = (await journey.app.call('topic', 'list', { accountId: pier.gs1sk }, token)).body;
    expect(topics[0].data).toMatchObject({ displayName: 'Cars', phrases: ['parking', 'garage'] });
    await close();
  });

  it('is adopted by a webhook’s settings, except in what is typed', async () => {
    const url = 'http://127.0.0.1:9/hooks';
    const events = ['feedback.created'];
    const { webhook } = (await journey.app.call('webhook', 'save', { payload: { data: { url, events } } }, token)).body;
    const { page, close } = await open('/account/webhooks');
    await page
      .getByRole('button', { name: /127\.0\.0\.1/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('http://127.0.0.1:9/other');
    await journey.app.call('webhook', 'save', { payload: { id: webhook.id, data: { description: 'Till' } } }, token);
    await expect.poll(() => dialog.getByLabel('Name (optional)').inputValue()).toBe('Till');
    expect(await dialog.getByLabel('Address').inputValue()).toBe('http://127.0.0.1:9/other');
    await close();
  });
});
