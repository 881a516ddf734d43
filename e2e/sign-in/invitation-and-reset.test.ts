import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dana, sam } from '#fixtures/business.ts';
import { SAMPLE_PASSWORD } from '../../test/support/app.ts';
import { openTestSmtp } from '../../test/support/smtp.ts';
import { button, anyHeading as heading, newAddress, signIn } from '../support/dashboard.ts';
import { DESKTOP, expectAccessible, type Journey, openJourney, PHONE, picture } from '../support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney({ BILLING: 'sandbox' });
});
afterAll(() => journey.stop());

const codeFor = async (address: string, pattern: RegExp): Promise<string> => {
  const [, code = ''] = /\b(\d{6})\b/.exec(await journey.app.mailTo(address, pattern)) ?? [];
  return code;
};

async function createAccount(page: Page, email: string): Promise<void> {
  await page.goto('/signup');
  await heading(page, 'Create An Account').waitFor();
  // The price comes before the first question.
  await page.getByText('$25/month, or $240/yr (20% savings)').waitFor();
  await page.getByText('Due today $0').waitFor();
  await page.getByLabel('Company name').fill('New Shop');
  await page.getByLabel('Your name').fill('Ann Lee');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(SAMPLE_PASSWORD);
  await page.getByLabel(/I accept the Terms/).check();
  await button(page, 'Create account').click();
  await page.getByLabel('Verification code').fill(await codeFor(email, /\d{6}/));
  await button(page, 'Verify Email').click();
}

describe('a business that signs up on a phone', () => {
  it('invites a teammate, who joins', async () => {
    const email = newAddress();
    const { page, close } = await journey.visit({ viewport: PHONE, expected: /400|404/ });
    await createAccount(page, email);

    await heading(page, 'Monthly Or Annual').waitFor();
    await page.getByText('Test mode: no money moves.').waitFor();
    await expectAccessible(page);
    await picture(page, 'sign-up-2-375');
    await page.reload();
    await heading(page, 'Monthly Or Annual').waitFor();
    expect(await page.getByText('All plans come with a 20 day free trial').count()).toBeGreaterThan(0);
    await button(page, 'Choose plan').click();
    await heading(page, 'Review Your Plan').waitFor();
    await page.getByText('Due today $0').waitFor();
    await page.getByText('Test mode: no money moves.').waitFor();
    await expectAccessible(page);
    await picture(page, 'sign-up-3-375');
    await button(page, 'Sign up').click();
    await heading(page, 'Get Started').waitFor();
    await page.getByLabel('Business name').fill('New Shop, Main Street');
    await page.getByLabel('Google', { exact: true }).check();
    await page.getByLabel('Google review URL').fill('https://g.page/r/newshop/review');
    await expectAccessible(page);
    await picture(page, 'sign-up-4-375');
    await button(page, 'Go to my dashboard').click();
    await heading(page, 'All feedback').waitFor();
    await picture(page, 'first-use-375');
    await expectAccessible(page);
    await journey.app.mailTo(email, 'Welcome to Afterword');

    await page.goto('/account/user-management');
    const teammate = newAddress();
    await button(page, 'Invite user').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Kim Park');
    await dialog.getByLabel('Email').fill(teammate);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: /Invite|Send/ }).click();
    await page.getByText(teammate).first().waitFor();
    await picture(page, 'users-375');

    const link = /(\/#invite=[\w-]+)/.exec(await journey.app.mailTo(teammate, 'New Shop'))?.[1] ?? '';
    const visit = await journey.visit();
    await visit.page.goto(link);
    await heading(visit.page, 'Join New Shop').waitFor();
    expect(visit.page.url()).not.toContain('invite=');
    await expectAccessible(visit.page);
    await visit.page.getByLabel('Password', { exact: false }).first().fill(SAMPLE_PASSWORD);
    await visit.page.locator('form button[type=submit]').click();
    await heading(visit.page, 'All feedback').waitFor();
    await visit.page.goto('/account/user-management');
    await visit.page.getByText('Only admins can open this page').waitFor();
    await visit.close();
    await close();
  });
});

describe('a forgotten password', () => {
  it('is replaced by the emailed link, and old sessions end', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /400|401/ });
    await page.goto('/');
    await signIn(page, sam.data.emailAddress);
    await heading(page, 'All feedback').waitFor();

    const visit = await journey.visit({ viewport: PHONE, expected: /400/ });
    await visit.page.goto('/pay?_ptxn=txn_01');
    await button(visit.page, 'Forgot password').click();
    await visit.page.getByLabel('Email').fill(sam.data.emailAddress);
    await button(visit.page, 'Continue').click();
    await heading(visit.page, 'New password').waitFor();
    await expectAccessible(visit.page);
    const mail = await journey.app.mailTo(sam.data.emailAddress, '#reset=');
    const [link = ''] = /\/#reset=[\w-]{22}&email=[^\s\]]+/.exec(mail) ?? [];
    await visit.page.goto('about:blank');
    await visit.page.goto(link);
    await heading(visit.page, 'New password').waitFor();
    expect(visit.page.url()).not.toContain('reset=');
    await visit.page.getByLabel('New password', { exact: true }).fill('a brand new horse');
    await button(visit.page, 'Reset Password').click();
    await heading(visit.page, 'Sign in').waitFor();
    await signIn(visit.page, sam.data.emailAddress, 'a brand new horse');
    await heading(visit.page, 'All feedback').waitFor();
    await visit.close();

    await page.reload();
    await heading(page, 'Sign in').waitFor();
    await close();
  });
});

it('the operator pages are not available to other people', async () => {
  const { page, close } = await journey.visit({ viewport: DESKTOP, expected: /404/ });
  await page.goto('/');
  await signIn(page, dana.data.emailAddress);
  await heading(page, 'All feedback').waitFor();
  await page.goto('/master/accounts');
  await page.getByText("You've reached a page that isn't available.").waitFor();
  await close();
});

it('an invitation that the mail server rejects is marked as not delivered', async () => {
  const smtp = await openTestSmtp({ refuse: () => ({ code: 550, text: '5.1.1 unknown' }) });
  const second = await openJourney({ SMTP_URL: smtp.url });
  const { page, close } = await second.visit({ viewport: DESKTOP });
  await page.goto('/account/user-management');
  await signIn(page, dana.data.emailAddress);
  for (const name of ['Kim Park', 'Ada Byron']) {
    await button(page, 'Invite user').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Email').fill(`${name.slice(0, 3)}@nowhere.test`);
    await dialog.getByRole('button', { name: /invit/i }).click();
    await dialog.waitFor({ state: 'detached' });
  }
  await expect.poll(() => page.getByText('Not delivered').count()).toBe(2);
  const actions: string[] = [];
  page.on('request', (request) => {
    const { service, action } = request.url().endsWith('/api/data') ? request.postDataJSON() : {};
    if (service === 'delivery') actions.push(action);
  });
  await page.reload();
  await expect.poll(() => page.getByText('Not delivered').count()).toBe(2);
  // One request covers every invitation.
  expect(actions.filter((action) => action !== 'health')).toEqual(['invitations']);
  await picture(page, 'invitation-refused-1440');
  await page
    .getByRole('button', { name: /Kim Park/ })
    .first()
    .click();
  await page.getByText(/The invitation wasn’t delivered\. .*550/).waitFor();
  await expectAccessible(page);
  await picture(page, 'invitation-refused-panel-1440');
  await close();
  await second.stop();
  await smtp.stop();
});
