import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ACCOUNT_ID, dana, sam } from '#fixtures/business.ts';
import type { PaddleStandIn } from '#stand-ins/paddle/paddle.ts';
import { heading, signIn } from '../support/dashboard.ts';
import { type BrowserVisit, DESKTOP, type Journey, openJourney } from '../support/journey.ts';
import { expectGoodLooks } from '../support/looks.ts';

/* An admin pays for the plan, changes it, cancels it and keeps it. The sandbox plays the bank and the provider. */

const DAY = 86_400_000;

let journey: Journey;
let sandbox: PaddleStandIn;
let visit: BrowserVisit;
let page: Page;
beforeAll(async () => {
  journey = await openJourney({ BILLING: 'sandbox' });
  if (!journey.app.app.sandbox) throw new Error('There is no sandbox');
  sandbox = journey.app.app.sandbox;
  await journey.app.stored('update subscription set trial_ends_at = $1', [new Date(Date.now() + 10 * DAY)]);
  const webhook = { url: 'https://hooks.example.com/urgent', events: ['feedback.urgent'] };
  const creation = await journey.app.call('webhook', 'save', { payload: { data: webhook } }, await journey.app.signIn());
  expect(creation.status).toBe(200);
  // The browser logs each refusal of the provider as a failed request.
  visit = await journey.visit({ viewport: DESKTOP, expected: /status of (?:402|409|503)/ });
  page = visit.page;
  await page.goto('/account/administration');
  await signIn(page);
  await heading(page, 'Administration').waitFor();
});
afterAll(async () => {
  await visit?.close();
  await journey?.stop();
});

const panel = () => page.getByRole('dialog', { name: 'Plan' });
const button = (name: string) => panel().getByRole('button', { name, exact: true });
const shows = (text: string | RegExp) => panel().getByText(text).first().waitFor();
const reopen = () => page.goto('/profile?panel=plan');

/** Acts as a bank, the provider or a customer, and opens the panel once the product has been notified. */
async function act(...steps: (() => Promise<void>)[]): Promise<void> {
  for (const step of steps) await step();
  await sandbox.settled();
  await reopen();
}

async function subscriptionId(): Promise<string> {
  const [row] = await journey.app.stored<{ id: string }>('select jsonb_object_keys(heard) as id from subscription where account_id = $1', [
    ACCOUNT_ID,
  ]);
  return row?.id ?? '';
}

/** Presses a button that opens a payment, and returns the payment's id. */
async function paymentAfter(press: () => Promise<unknown>): Promise<string> {
  await Promise.all([page.waitForURL(/\/pay\?_ptxn=txn_/), press()]);
  return new URL(page.url()).searchParams.get('_ptxn') ?? '';
}

it('is bought in the trial with one checkout and nothing due today', async () => {
  const requests: string[] = [];
  page.on('request', (request) => request.postData()?.includes('"checkout"') && requests.push(request.url()));
  await page.getByRole('button', { name: 'Plan and payments' }).click();
  await shows('Free trial: 10 days left');
  await shows('No payments yet.');
  await panel().getByText('Due today $0').waitFor();
  await expectGoodLooks(page, 'plan-trial');
  const transactionId = await paymentAfter(() => button('Continue to payment').dblclick());
  expect(requests).toHaveLength(1);
  await act(() => sandbox.actions.pay(transactionId));
  await shows('Payment is set up.');
  const id = await subscriptionId();
  await act(() => sandbox.actions.renew(id));
  await shows('Your plan is paid.');
  await panel().getByText('$240.00').waitFor();
});

it('is changed at the provider’s prices', async () => {
  await panel().getByText('This is your plan.').waitFor();
  // By keyboard: a click's point on the hidden input depends on the fonts.
  await panel().getByRole('switch').press('Space');
  await shows('After that');
  await sandbox.actions.lockNextUpdate();
  await button('Change plan').click();
  await panel().getByRole('alert').waitFor();
  await button('Change plan').click();
  await panel().getByText('This is your plan.').waitFor();
  await panel().getByRole('definition').getByText('$25/month').waitFor();
});

it('opens an invoice in a new tab, or shows a link when the browser blocks it', async () => {
  const [tab, request] = await Promise.all([
    page.waitForEvent('popup'),
    page.context().waitForEvent('request', (each) => each.url().includes('/sandbox/')),
    panel()
      .getByRole('button', { name: /^Invoice/ })
      .first()
      .click(),
  ]);
  expect(request.isNavigationRequest()).toBe(true);
  await tab.close();
  await page.evaluate('window.open = () => null');
  await panel()
    .getByRole('button', { name: /^Billing details/ })
    .click();
  expect(await panel().getByRole('link', { name: 'Open it here' }).getAttribute('href')).toContain('/sandbox/');
});

it('is canceled after a warning, and kept after all', async () => {
  await button('Cancel subscription').click();
  const warning = page.getByRole('dialog', { name: 'Cancel Pro?' });
  await warning.getByText(/Everything works until/).waitFor();
  await warning.getByRole('button', { name: 'Cancel subscription' }).click();
  await shows(/Your subscription ends on/);
  await shows('Keep the subscription to change the plan.');
  await button('Keep subscription').click();
  await shows('Your plan is paid.');
});

it('shows where the provider fails to answer, and retries', async () => {
  await act(() => sandbox.actions.goDown('refuses'));
  await shows('We couldn’t load the payments.');
  await button('Change card').click();
  await panel().getByText('We can’t reach the payment provider. Please try again in a moment.', { exact: true }).waitFor();
  await sandbox.actions.comeBack();
  await panel().getByRole('button', { name: 'Try again' }).click();
  await panel().getByText('$240.00').waitFor();
  await paymentAfter(() => button('Change card').click());
});

it('is paid after a failed payment, and resumes after a pause', async () => {
  const id = await subscriptionId();
  await act(() => sandbox.actions.failRenewal(id));
  await shows('A payment failed.');
  await paymentAfter(() => button('Update payment').click());
  await page.frameLocator('iframe').getByRole('button', { name: 'Pay' }).click();
  await heading(page, 'All feedback').waitFor();
  await act(() => sandbox.actions.pause(id));
  await shows('Your subscription is paused.');
  await button('Resume').click();
  await shows('Your plan is paid.');
});

it('is charged at once when chosen again after it ended', async () => {
  const id = await subscriptionId();
  await journey.app.stored('update subscription set trial_ends_at = $1', [new Date(0)]);
  await act(
    () => sandbox.actions.failRenewal(id),
    () => sandbox.actions.cancel(id),
  );
  await shows(/Your subscription ended on/);
  await panel()
    .getByText(/^Due today \$(?:25|240)/)
    .waitFor();
});

it('has ended, and every control that changes something is disabled', async () => {
  await page.goto('/properties/pier-4/configuration?tab=share');
  const add = page.getByRole('button', { name: 'Add placement' });
  await add.waitFor();
  expect([await add.isDisabled(), await add.getAttribute('title')]).toEqual([true, 'You can’t make changes until your plan is paid.']);
  expect(await page.getByRole('button', { name: 'More for Till' }).isDisabled()).toBe(true);
  await page.goto('/?rating=1');
  await page.getByRole('button', { name: 'Views' }).click();
  const save = page.getByRole('menuitem', { name: 'Save as a view' });
  await save.waitFor();
  expect([await save.getAttribute('aria-disabled'), await save.getAttribute('title')]).toEqual([
    'true',
    'you can’t make changes until your plan is paid',
  ]);
  await page.goto('/account/webhooks');
  await page.getByRole('button', { name: 'hooks.example.com' }).click();
  expect(await page.getByRole('button', { name: 'Add webhook' }).isDisabled()).toBe(true);
  const webhook = page.getByRole('dialog', { name: 'hooks.example.com' });
  await webhook.getByText('You can’t make changes until your plan is paid.').first().waitFor();
  for (const name of ['Send test', 'New secret', 'Delete webhook'])
    expect(await webhook.getByRole('button', { name }).isDisabled()).toBe(true);
  expect(await webhook.getByRole('switch', { name: 'On' }).isDisabled()).toBe(true);
  expect(await webhook.getByRole('button', { name: 'Show secret' }).isEnabled()).toBe(true);
  await expectGoodLooks(page, 'webhook-read-only');
});

it('is for admins, and shows others which admin to ask', async () => {
  for (const [person, level] of [
    [dana, 'user'],
    [sam, 'admin'],
  ] as const)
    await journey.app.stored('update "user" set level = $2 where id = $1', [person.id, level]);
  await reopen();
  await shows('Only admins can change the plan. Ask Sam Lee.');
  expect(await button('Continue to payment').count()).toBe(0);
});
