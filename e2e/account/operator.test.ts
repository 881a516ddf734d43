import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dana, sam } from '#fixtures/business.ts';
import { SAMPLE_PASSWORD } from '../../test/support/app.ts';
import { oneTimePassword } from '../../test/support/one-time-password.ts';
import { setUpApp, signInAsOperator } from '../../test/support/operator.ts';
import { button, anyHeading as heading, signIn } from '../support/dashboard.ts';
import { DESKTOP, expectAccessible, holdBack, type Journey, openJourney, PHONE, picture } from '../support/journey.ts';
import { expectGoodLooks } from '../support/looks.ts';

/* Operators open their pages, with a business or without one. */

const OLGA = 'olga@operator.test';
const DAY = 86_400_000;

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney({ OPERATOR_EMAILS: `${OLGA},${dana.data.emailAddress}`, BILLING: 'sandbox' });
  await journey.app.app.inviteOperators();
});
afterAll(() => journey.stop());

/** Sets up two-step sign-in on a locked operator page, and opens the page. */
async function setUp(page: Page, look: string): Promise<void> {
  await heading(page, 'Set up two-step sign-in').waitFor();
  await expectAccessible(page);
  await picture(page, `operator-${look}-set-up`);
  await button(page, 'Continue').click();
  const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
  await page.getByLabel('Code from your app').fill(oneTimePassword(secret, journey.app.app.platform));
  await button(page, 'Turn on').click();
  await page.getByLabel('I’ve saved these codes').check();
  await button(page, 'Done').click();
  await heading(page, 'Sign in with your app').waitFor();
  await expectAccessible(page);
  await picture(page, `operator-${look}-enter`);
  journey.app.advance(60_000);
  await page.getByLabel('Your password', { exact: true }).fill(SAMPLE_PASSWORD);
  await page.getByLabel('Code from your app, or a backup code').fill(oneTimePassword(secret, journey.app.app.platform));
  await button(page, 'Open the operator area').click();
}

/** Dismisses a billing notice, extends the business's trial, and gives it the plan Beta. */
async function manageSubscription(page: Page): Promise<void> {
  const { app } = journey;
  await app.stored('update subscription set trial_ends_at = $1', [new Date(app.app.platform.now() + 4.5 * DAY)]);
  await app.stored(
    `insert into billing_event (event_id, type, at, received, outcome, why) values ($1, 'api_key.expiring', '', now(), 'noted', $2)`,
    [`evt_${'1'.repeat(26)}`, 'The key of the API ends within a week.'],
  );
  await page.getByRole('link', { name: 'Subscriptions' }).click();
  await page.getByLabel('Filter by status').selectOption('On trial');
  await page.waitForURL(/standing=trial/);
  await page.getByText('5 days left').waitFor();
  await expectGoodLooks(page, 'operator-subscriptions');
  // A toast also has a button of that name.
  const dismiss = page.getByRole('article').getByRole('button', { name: 'Dismiss', exact: true });
  await dismiss.click();
  await dismiss.waitFor({ state: 'detached' });
  await button(page, 'Harbor Coffee').click();
  await button(page, 'Extend trial').click();
  const dialog = page.getByRole('dialog', { name: 'Extend the trial for Harbor Coffee?' });
  await expectGoodLooks(page, 'operator-trial');
  await dialog.getByRole('button', { name: 'Extend trial' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page
    .getByText(/^1[56] days left/)
    .first()
    .waitFor();
  await button(page, 'Sync now').click();
  await page.getByText('Syncing. The result appears in a few seconds.').waitFor();
  const openJobs = `select 1 from pgboss.job where name = 'billing.sync' and state <> 'completed'`;
  await expect.poll(() => journey.app.stored(openJobs)).toEqual([]);
  await button(page, 'Give Beta').click();
  await page.getByRole('dialog', { name: 'Give Harbor Coffee the Beta plan?' }).getByRole('button', { name: 'Give Beta' }).click();
  await page.getByText('Harbor Coffee now has the Beta plan.').waitFor();
}

/** Finds a business that pays twice, and retries a failed billing event. */
async function retryBillingEvent(page: Page): Promise<void> {
  const { app } = journey;
  const purchase = (id: string) => ({ id, customerId: 'ctm_1', priceId: 'pri_promonthly0000000000000000', status: 'active', created: 1 });
  const billingState = (id: string) => ({ at: '1', eventId: '', fineAt: '1', dueAt: [], subscription: purchase(id) });
  await app.stored(`update subscription set heard = $1, bought = 'active', plan = 'Pro'`, [
    { sub_1: billingState('sub_1'), sub_2: billingState('sub_2') },
  ]);
  await app.stored(
    `insert into billing_event (event_id, type, at, received, outcome, why, body) values ($1, 'weather.changed', '', now(), 'failed', $2, $3)`,
    [`evt_${'2'.repeat(26)}`, 'It could not be applied.', READABLE],
  );
  await page.goto('/master/subscriptions?standing=paid');
  await page.getByText('Pays twice').first().waitFor();
  await expectGoodLooks(page, 'operator-pays-twice');
  await button(page, 'Apply again').click();
  await button(page, 'Apply again').waitFor({ state: 'detached' });
}

const READABLE = { event_id: `evt_${'2'.repeat(26)}`, event_type: 'weather.changed', occurred_at: '2026-11-21T12:00:00Z', data: {} };

describe('an operator', () => {
  it('with a business sets up two-step sign-in, and opens the requested page', async () => {
    const { page, close } = await journey.visit({ viewport: DESKTOP });
    await page.goto('/master/users');
    await signIn(page, dana.data.emailAddress);
    await setUp(page, '1440-light');
    await heading(page, 'All users').waitFor();
    expect(new URL(page.url()).pathname).toBe('/master/users');
    const report = { kind: 'bug', text: 'The chart is empty.', url: '/urgent', userAgent: 'Mozilla/5.0', mayReply: true };
    const message = { idempotencyKey: 'k'.repeat(22), payload: { data: report } };
    await journey.app.call('message', 'save', message, await journey.app.signIn(sam.data.emailAddress));
    await page.getByRole('link', { name: 'Mail and webhooks' }).click();
    await page.getByText('Receiver gone').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByRole('article', { name: 'Bug from Harbor Coffee' }).getByRole('link', { name: sam.data.emailAddress }).waitFor();
    await expectAccessible(page);
    await picture(page, 'operator-1440-light-messages');
    await button(page, 'Mark as handled').click();
    await page.getByText('No messages.').waitFor();
    await page.getByLabel('Show handled messages too').check();
    await button(page, 'Delete').click();
    const warning = page.getByRole('dialog', { name: 'Delete the bug report from Harbor Coffee?' });
    await expectGoodLooks(page, 'operator-delete-message');
    await warning.getByRole('button', { name: 'Delete message' }).click();
    await page.getByText('Message deleted.').waitFor();
    await page.getByText('No messages.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await manageSubscription(page);
    await retryBillingEvent(page);
    await close();
  });

  it('without a business joins by the emailed link, and has the operator pages and a profile', async () => {
    const [link = ''] = /\/#invite=[\w-]+/.exec(await journey.app.mailTo(OLGA, '#invite=')) ?? [];
    const { page, close } = await journey.visit({ theme: 'dark' });
    await page.goto(link);
    await page.getByLabel('Password', { exact: false }).first().fill(SAMPLE_PASSWORD);
    const release = await holdBack(page, '**/assets/AccountsPage-*.js');
    await page.locator('form button[type=submit]').click();
    // Until the file of the first page has loaded, the feed's would be there, and ask for the feedback of no team.
    await page.waitForURL('**/master/accounts');
    await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'attached' });
    expect(await page.locator('h1').allTextContents()).toEqual([]);
    release();
    await setUp(page, '375-dark');
    await heading(page, 'Accounts').waitFor();
    await expectAccessible(page);
    await picture(page, 'operator-375-dark-accounts');
    await page.goto('/signup');
    await heading(page, 'Accounts').waitFor();
    await page.goto('/profile');
    await page.getByText('Backup codes: 10 of 10 left.').waitFor();
    await expectAccessible(page);
    await picture(page, 'operator-375-dark-profile');
    await page.goto('/master/accounts');
    await button(page, 'Invite a business').click();
    await page.getByLabel('Company name').fill('Pier 2');
    await page.getByLabel('Name', { exact: true }).fill('Olga Reyes');
    await page.getByLabel('Email').fill(OLGA);
    await picture(page, 'operator-375-dark-invite');
    await button(page, 'Send invitation').click();
    await heading(page, 'Monthly Or Annual').waitFor();
    await close();
  });

  it('requests a reset for a sole admin, who keeps two-step sign-in by the link', async () => {
    const { app } = journey;
    const user = await app.signIn(sam.data.emailAddress);
    await setUpApp(app, user);
    await app.stored(`update "user" set level = 'user' where id <> $1`, [sam.id]);
    await app.stored(`update "user" set level = 'admin' where id = $1`, [sam.id]);
    const request = { accountId: sam.data.accountId, userId: sam.id, reason: 'A call from the shop' };
    await app.stored('delete from identity_totp where sub = $1', [dana.id.slice('USER_'.length)]);
    await app.call('user', 'requestSecondFactorReset', request, await signInAsOperator(app));
    const [link = ''] = /\/#keep-two-step=[\w-]+/.exec(await app.mailTo(sam.data.emailAddress, '#keep-two-step=')) ?? [];
    const { page, close } = await journey.visit({ viewport: PHONE });
    await page.goto(link);
    await heading(page, 'Keep two-step sign-in?').waitFor();
    await expectAccessible(page);
    await picture(page, 'operator-375-light-keep');
    await button(page, 'Keep two-step sign-in').click();
    await heading(page, 'Two-step sign-in stays on').waitFor();
    await close();
  });
});
