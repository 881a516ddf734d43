import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { account, sam as teammate } from '#fixtures/business.ts';
import { heading, rows, signIn } from '../support/dashboard.ts';
import { type BrowserVisit, DESKTOP, type Journey, openJourney, picture } from '../support/journey.ts';
import { expectGoodLooks } from '../support/looks.ts';

/* Payment, with Paddle.js and Paddle’s API played by this file. */

const idOf = (kind: string, word: string): string => `${kind}_${word.padEnd(26, '0')}`;
const [PAYMENT, SUBSCRIPTION, PRICE] = [idOf('txn', 'first'), idOf('sub', 'pro'), idOf('pri', 'promonthly')];
const PRICES = ['Monthly', 'Monthly/trial', 'Annual', 'Annual/trial'].map((name) => {
  const word = `pro${name.toLowerCase().replace('/', '')}`;
  return `Pro/${name}=${idOf('pri', word)}`;
});

/** Stands in for Paddle.js: opens the checkout named in the address automatically, and emits the events that a test asks for. */
const PROGRAM = `
  const log = [];
  let callback;
  const emit = (name, more) => callback({ name, ...more });
  const show = () => setTimeout(() => emit('checkout.loaded'));
  window.paddle = { log, emit };
  window.PaddleBillingV1 = {
    Environment: { set: (name) => log.push(name) },
    Initialize({ eventCallback, ...options }) {
      callback = eventCallback;
      log.push(options);
      if (new URLSearchParams(location.search).has('_ptxn')) show();
    },
    Checkout: { open: (input) => (log.push(input), show()), close: () => log.push('close') },
  };
`;

/** The payment belongs to a subscription only once it is activated. */
let isActivated = false;
const NOW = new Date().toISOString();
const ANSWERS: Readonly<Record<string, () => object>> = {
  [`/transactions/${PAYMENT}`]: () => ({
    id: PAYMENT,
    status: 'completed',
    subscription_id: isActivated ? SUBSCRIPTION : null,
    items: [],
    payments: [],
  }),
  [`/subscriptions/${SUBSCRIPTION}`]: () => ({
    ...{ id: SUBSCRIPTION, status: 'active', customer_id: idOf('ctm', 'dana'), created_at: NOW, updated_at: NOW },
    ...{ next_billed_at: new Date(Date.now() + 2_592_000_000).toISOString(), billing_cycle: { interval: 'month', frequency: 1 } },
    items: [{ status: 'active', quantity: 1, price: { id: PRICE, unit_price: {}, unit_price_overrides: [], quantity: {} }, product: {} }],
  }),
};

let api: Server;
let journey: Journey;
/** An admin's visit and a member's; each signs in once. */
let dana: BrowserVisit;
let sam: BrowserVisit;
/** The page under test. */
let page: Page;
const foreignRequests: string[] = [];
/** Blocks Paddle.js, and counts the blocked requests. */
let isBlocked = false;
let blockedCount = 0;
beforeAll(async () => {
  api = createServer((request, response) => {
    const data = ANSWERS[request.url?.split('?')[0] ?? '']?.();
    response.writeHead(data ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
  }).listen(0, '127.0.0.1');
  await once(api, 'listening');
  journey = await openJourney({
    BILLING: 'paddle',
    PADDLE_ENV: 'sandbox',
    PADDLE_API_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
    PADDLE_API_KEY: 'pdl_sdbx_apikey_of_a_test',
    PADDLE_CLIENT_TOKEN: 'test_of_a_test',
    PADDLE_WEBHOOK_SECRETS: 'off',
    PADDLE_PRICES: PRICES.join(','),
  });
  await inTrial(10 * DAY);
  await journey.app.stored('insert into billing_reference (id, account_id) values ($1, $2)', [PAYMENT, account.id]);
  [dana, sam] = [await open(), await open()];
  page = dana.page;
});
afterAll(async () => {
  for (const visit of [dana, sam]) await visit.close();
  await journey.stop();
  api.close();
});
afterEach(() => expect(foreignRequests).toEqual([]));

const [MINUTE, DAY] = [60_000, 86_400_000];

async function inTrial(left: number): Promise<void> {
  const change =
    "update subscription set status = 'active', plan = 'Pro', payment_frequency = 'Monthly', heard = '{}', bought = null, trial_ends_at = $1";
  await journey.app.stored(`${change} where account_id = $2`, [new Date(Date.now() + left), account.id]);
}

/** Opens a browser that reaches only the product and Paddle.js. */
async function open(): Promise<BrowserVisit> {
  const visit = await journey.visit({ viewport: DESKTOP, expected: /ERR_FAILED|status of 429/ });
  const context = visit.page.context();
  await context.route('**/*', (route) => {
    if (route.request().url().startsWith(journey.address)) return route.continue();
    foreignRequests.push(route.request().url());
    return route.abort();
  });
  await context.route('https://cdn.paddle.com/**', (route) => {
    if (!isBlocked) return route.fulfill({ contentType: 'application/javascript', body: PROGRAM });
    blockedCount += 1;
    return route.abort();
  });
  return visit;
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const banner = () => page.getByRole('region', { name: 'Subscription' });
const emit = (name: string, more: object = {}) =>
  page.evaluate(([event, detail]) => (globalThis as never as Program).paddle.emit(event, detail), [name, more] as const);
const calls = () => page.evaluate(() => (globalThis as never as Program).paddle.log);

interface Program {
  readonly paddle: { readonly log: unknown[]; emit(name: string, more: object): void };
}

const PAY = `/pay?_ptxn=${PAYMENT}&from=mail`;
/** An unknown payment. */
const OTHER = `/pay?_ptxn=${idOf('txn', 'other')}`;
const READ_ONLY = 'You can’t make changes until your plan is paid.';
const OPEN = 'Finish the payment in the checkout.';

it('keeps the payment across sign-in, opens it once, thanks once, and continues when it is confirmed', async () => {
  const thanks: string[] = [];
  page.on('dialog', (dialog) => {
    thanks.push(dialog.message());
    void dialog.accept();
  });
  await page.goto(PAY);
  await signIn(page);
  await heading(page, OPEN).waitFor();
  expect(page.url()).toBe(`${journey.address}${PAY}`);
  expect(await calls()).toEqual(['sandbox', { token: 'test_of_a_test', checkout: { settings: { theme: 'light', allowLogout: false } } }]);
  await picture(page, 'pay-open');
  await emit('checkout.completed');
  await heading(page, 'Payment received.').waitFor();
  await expect.poll(() => thanks).toEqual(['Thank you for your payment!']);
  await picture(page, 'pay-received');
  await page.reload();
  await page.getByText('You’ll continue in a moment.').waitFor();
  isActivated = true;
  await heading(page, 'All feedback').waitFor();
  expect(thanks).toHaveLength(1);
  expect(await banner().count()).toBe(0);
  await inTrial(10 * DAY);
});

describe('a checkout', () => {
  it('loads its own document, and reports that it was closed or failed', async () => {
    const mark = () => page.evaluate(() => void Object.assign(globalThis, { isSame: true }));
    const isMarked = () => page.evaluate(() => 'isSame' in globalThis);
    await mark();
    await page.evaluate((to) => history.pushState({}, '', to), OTHER);
    await heading(page, OPEN).waitFor();
    expect([await isMarked(), page.url()]).toEqual([false, `${journey.address}${OTHER}`]);
    await mark();
    await emit('checkout.closed');
    await heading(page, 'Payment not finished').waitFor();
    await expectGoodLooks(page, 'pay-closed');
    await button('Open checkout again').click();
    await heading(page, OPEN).waitFor();
    expect((await calls()).at(-1)).toMatchObject({ transactionId: idOf('txn', 'other'), settings: { allowLogout: false } });
    await emit('checkout.error', { detail: 'The transaction is not open.' });
    await page.getByText('The payment provider reported: The transaction is not open.').waitFor();
    await picture(page, 'pay-failed');
    expect(await isMarked()).toBe(true);
    await page.getByRole('link', { name: 'Properties', exact: true }).first().click();
    await heading(page, 'Properties').waitFor();
    expect(await isMarked()).toBe(false);
  });

  it('that is slow or blocked offers to reload the page', async () => {
    const slow = await page.context().newPage();
    await slow.route('https://cdn.paddle.com/**', () => undefined, { times: 1 });
    await slow.clock.install();
    await slow.goto(OTHER);
    await slow.locator('script[src*=paddle]').waitFor({ state: 'attached' });
    await heading(slow, 'Opening secure checkout…').waitFor();
    await slow.clock.fastForward(15_000);
    await heading(slow, 'The checkout didn’t load').waitFor();
    isBlocked = true;
    await slow.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => blockedCount).toBe(1);
    await heading(slow, 'The checkout didn’t load').waitFor();
    isBlocked = false;
    await picture(slow, 'pay-blocked');
    await slow.close();
  });

  it('isn’t loaded for an invalid payment link', async () => {
    await page.goto('/pay?_ptxn=txn_1');
    await heading(page, 'This payment link is not valid.').waitFor();
    expect(await page.locator('script[src*=paddle]').count()).toBe(0);
    await picture(page, 'pay-invalid');
  });
});

describe('a team', () => {
  it('sees that its trial ends today, and becomes read-only when it does', async () => {
    await inTrial(5 * MINUTE);
    const second = await page.context().newPage();
    await second.clock.install();
    await second.goto('/?range=all');
    await second.getByText('Your free trial ends today.').waitFor();
    await picture(second, 'trial-ends');
    journey.app.advance(5 * MINUTE);
    await second.clock.fastForward(5 * MINUTE);
    await second.getByText('Your free trial has ended. Your team can read and export everything, but not make changes.').waitFor();
    await second.getByRole('button', { name: 'Choose a plan' }).click();
    await second.getByRole('dialog', { name: 'Plan' }).waitFor();
    await second.close();
  });

  it('whose trial has ended can read everything and change nothing, and sees which admin to ask', async () => {
    await inTrial(-DAY);
    page = sam.page;
    await page.goto('/?range=all&unread=1');
    await signIn(page, teammate.data.emailAddress);
    await banner()
      .getByText(/Ask .* to choose a plan\./)
      .waitFor();
    await button('More for this list').click();
    await page.getByRole('menuitem', { name: /^Export/ }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Select' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await rows(page).first().click();
    await page.getByLabel('Feedback details').getByText(READ_ONLY).first().waitFor();
    expect(await button('Done').isDisabled()).toBe(true);
    await expectGoodLooks(page, 'read-only-detail');
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.keyboard.press('e');
    await page.getByRole('alert').getByText(READ_ONLY).waitFor();
    // The page sent no request that the server would refuse.
    expect(sam.complaints).toEqual([]);
  });

  it('sees the read-only notice on the configuration page', async () => {
    page = dana.page;
    await page.goto('/properties/pier-4/configuration');
    await page.getByText(READ_ONLY).waitFor();
    expect(await page.getByLabel('Question').first().isDisabled()).toBe(true);
    await picture(page, 'read-only-configuration');
  });
});
