import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '#contract/core/time.ts';
import { pier } from '#fixtures/business.ts';
import { signIn } from '../support/dashboard.ts';
import { DESKTOP, expectAccessible, holdBack, type Journey, openJourney, PHONE, picture } from '../support/journey.ts';
import { expectGoodLooks } from '../support/looks.ts';

/* An admin asks customers by email; a customer answers with one tap, and another unsubscribes. */

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.stop());

const TAB = '/properties/pier-4/configuration?tab=requests';
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);
const LIST = [
  'Guest,Email,Checkout,Language',
  `Ana Lopes,ana@mail.example,${daysAgo(6)},pt`,
  `Ben Orr,ben@mail.example,${daysAgo(6)},`,
  `Cas Lee,cas@mail,${daysAgo(6)},`,
  `Ben Orr,BEN@mail.example,${daysAgo(5)},`,
].join('\n');

/** Makes all waiting emails due, and sends them. */
async function sendNow(): Promise<void> {
  await journey.app.stored(`update feedback_request set due = now() - interval '1 minute' where status = 'waiting'`);
  const { database, jobs } = journey.app.app.platform;
  await database.transaction({}, (db) => jobs.queue(db, 'feedback-request.send', {}));
}
const linkIn = (mail: string, shape: RegExp): string => {
  const { pathname, search } = new URL(shape.exec(mail.replaceAll('=\n', ''))?.[0] ?? '');
  return pathname + search;
};
const customers = (page: Page) => page.getByRole('textbox', { name: 'Customers', exact: true });
const requests = (page: Page) => page.getByRole('list', { name: 'Requests' }).getByRole('listitem');

describe('feedback requests', () => {
  it('are reviewed, sent, undone, and answered with one tap', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    const release = await holdBack(page, '**/api/data', /"feedbackRequest"/);
    await page.goto(TAB);
    await signIn(page);
    await page.getByRole('button', { name: 'Don’t ask' }).waitFor();
    expect(await page.getByRole('searchbox').count()).toBe(0);
    release();
    await page.getByText('Customers that you ask by email appear here').waitFor();
    await expectGoodLooks(page, 'requests-empty');
    await customers(page).fill(LIST);
    await page.getByRole('button', { name: 'Review and send' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ask customers of Pier 4' });
    await dialog.getByText('2 customers will be asked').waitFor();
    await dialog.getByText('Row 4: “cas@mail” isn’t an email address').waitFor();
    await expect.poll(() => dialog.getByLabel('Checkout').inputValue()).toBe('visited');
    await expectGoodLooks(page, 'requests-review');
    // The list isn't kept, so neither is its review.
    await page.reload();
    await customers(page).waitFor();
    expect(await dialog.count()).toBe(0);
    await customers(page).fill(LIST);
    await page.getByRole('button', { name: 'Review and send' }).click();
    await dialog.getByRole('button', { name: 'Ask 2 customers' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('No email is sent.').waitFor();
    await page.getByText('Customers that you ask by email appear here').waitFor();

    await customers(page).fill(LIST);
    await page.getByRole('button', { name: 'Review and send' }).click();
    await dialog.getByRole('button', { name: 'Ask 2 customers' }).click();
    await expect.poll(() => requests(page).count()).toBe(2);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expectGoodLooks(page, 'requests-waiting');

    await sendNow();
    const mail = await journey.app.mailTo('ben@mail.example', 'How was your visit');
    const { page: visitor, close: leave } = await journey.visit({ viewport: PHONE });
    // Hides that the browser is automated.
    await visitor.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { get: () => false }));
    await visitor.goto(linkIn(mail, /https?:\S+rating=2\S+/));
    await visitor.getByText('Thanks, that’s saved').waitFor();
    await expect.poll(() => new URL(visitor.url()).search).not.toMatch(/visit|rating/);
    await expectAccessible(visitor);
    await leave();
    expect(await journey.app.stored(`select rating from feedback where property_id = $1 order by id desc limit 1`, [pier.id])).toEqual([
      { rating: 2 },
    ]);
    // The page learns of it without a reload.
    await requests(page).filter({ hasText: 'ben@mail.example' }).getByText('Answered').waitFor();
    await page.getByText('2 customers were asked by email. 1 answered (50%).').waitFor();
    await expectGoodLooks(page, 'requests-answered');
    await close();
  });

  it('end for a customer who unsubscribes, in their language', async () => {
    const mail = await journey.app.mailTo('ana@mail.example', 'Pier 4');
    const { page, close } = await journey.visit({ viewport: PHONE });
    await page.goto(linkIn(mail, /https?:\S+\/stop\/\S+/));
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('pt');
    await expectAccessible(page);
    await picture(page, 'requests-stop');
    await page.getByRole('button').click();
    await page.locator('button[name=resume]').waitFor();
    await picture(page, 'requests-stopped');
    await close();

    const { page: team, close: leave } = await journey.visit({ viewport: DESKTOP });
    await team.goto(TAB);
    await signIn(team);
    const addresses = team.getByRole('list', { name: 'Addresses' });
    await addresses.getByText('ana@mail.example').waitFor();
    expect(await addresses.getByRole('button').count()).toBe(0);
    await team.getByRole('textbox', { name: 'Email address' }).fill('otto@mail.example');
    await team.getByRole('button', { name: 'Don’t ask' }).click();
    await addresses.getByRole('button', { name: 'Allow otto@mail.example' }).click();
    await expect.poll(() => addresses.getByRole('listitem').count()).toBe(1);
    await leave();
  });

  it('can be tried in the demo, and their settings saved', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/demo/properties/pier-4/configuration?tab=requests');
    await page.getByText('customers were asked by email').waitFor();
    await expectGoodLooks(page, 'requests-demo');
    await page.getByLabel('Remind once if there is no answer').selectOption('');
    await page.getByLabel('Postal address').fill('1 Pier Road, Harbor');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Settings saved for customers that you add from now on.').waitFor();
    // As Excel saves it.
    const buffer = Buffer.from('nina.berg@mail.example,Nina\nnew@mail.example,Zoë', 'latin1');
    await page.getByLabel('CSV file').setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('dialog').getByText('Nina · Zoë').waitFor();
    await page.getByRole('dialog').getByRole('rowheader', { name: 'Unsubscribed' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Ask 1 customer' }).click();
    await requests(page).filter({ hasText: 'new@mail.example' }).getByText('Waiting').waitFor();
    await close();
  });
});
