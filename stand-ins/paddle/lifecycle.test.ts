import type { EventEntity, UpdateSubscriptionRequestBody } from '@paddle/paddle-node-sdk';
import { afterAll, describe, expect, it } from 'vitest';
import { codeOf, openTestSeller, PRICES } from '../../test/support/paddle.ts';

const { paddle, standIn, world, ask, buy, events, stop } = await openTestSeller();
const { actions } = standIn;
afterAll(stop);

const DAY = 86_400_000;
const namesOf = (list: readonly EventEntity[]): string[] => list.map(({ eventType }) => eventType);
const eventNames = async (): Promise<string[]> => namesOf(await events());
const paymentsOf = async (subscriptionId: string) =>
  paddle.transactions.list({ subscriptionId: [subscriptionId], status: ['completed', 'past_due'] }).next();

describe('a checkout', () => {
  it('starts a subscription, and reports it in order', async () => {
    await events();
    const { id, customData, customerId, nextBilledAt } = await buy();
    expect(nextBilledAt).toBe('2026-02-28T09:30:00.123Z');
    const received = await events();
    expect(namesOf(received)).toEqual(['subscription.created', 'subscription.activated', 'transaction.completed']);
    expect(received[0]?.data).toMatchObject({ id, customData, transactionId: expect.stringMatching(/^txn_/) });
    expect(received.at(-1)?.data).toMatchObject({ subscriptionId: id, invoiceNumber: expect.stringMatching(/^TEST-/), customData });
    const ids = received.map(({ eventId }) => eventId);
    expect(ids.toSorted()).toEqual(ids);
    for (const each of [id, customerId, ...ids]) expect(each).toMatch(/^(?:sub|ctm|evt)_[a-z\d]{26}$/);
  });

  it('starts a free trial that ends when asked and is billed then', async () => {
    const { id, items, ...trial } = await buy(PRICES.trial);
    expect(trial).toMatchObject({ status: 'trialing', firstBilledAt: null, nextBilledAt: '2026-02-12T09:30:00.123Z' });
    expect(items[0]?.trialDates?.endsAt).toBe(trial.nextBilledAt);
    const updated = await paddle.subscriptions.update(id, { nextBilledAt: '2026-02-10T00:00:00Z', prorationBillingMode: 'do_not_bill' });
    expect([updated.nextBilledAt, updated.items[0]?.trialDates?.endsAt]).toEqual(['2026-02-10T00:00:00Z', '2026-02-10T00:00:00Z']);
    expect((await paymentsOf(id))[0]?.details?.totals?.grandTotal).toBe('0');
    await events();
    await actions.renew(id);
    expect(await eventNames()).toEqual(['subscription.updated', 'transaction.completed', 'subscription.activated']);
    expect(await paddle.subscriptions.get(id)).toMatchObject({ status: 'active', firstBilledAt: expect.any(String) });
  });

  it('that was paid or canceled can’t be paid', async () => {
    const { customerId } = await buy();
    const { id } = await paddle.transactions.create({ items: [{ priceId: PRICES.monthly, quantity: 1 }], customerId });
    expect((await paddle.transactions.update(id, { status: 'canceled' })).status).toBe('canceled');
    await expect(actions.pay(id)).rejects.toThrow('canceled');
    expect(await codeOf(paddle.transactions.update(id, { status: 'canceled' }))).toBe('transaction_immutable');
  });
});

describe('a renewal', () => {
  it('that fails is past due until another card pays, or until it is canceled', async () => {
    const { id, customData } = await buy();
    await events();
    await actions.failRenewal(id);
    expect(await eventNames()).toEqual([
      ...['subscription.updated', 'transaction.payment_failed', 'transaction.past_due'],
      ...['subscription.updated', 'subscription.past_due'],
    ]);
    const items = [{ priceId: PRICES.larger, quantity: 1 }];
    expect(await codeOf(paddle.subscriptions.update(id, { items }))).toBe('subscription_update_when_past_due');
    const debt = await paddle.subscriptions.getPaymentMethodChangeTransaction(id);
    expect(debt).toMatchObject({ status: 'past_due', customData, details: { totals: { grandTotal: '2500' } } });
    await actions.pay(debt.id);
    expect(await eventNames()).toEqual(['subscription.updated', 'transaction.completed']);
    expect((await paddle.subscriptions.get(id)).status).toBe('active');

    await actions.failRenewal(id);
    await actions.cancel(id);
    expect((await eventNames()).slice(-3)).toEqual(['transaction.canceled', 'subscription.updated', 'subscription.canceled']);
    expect(await paddle.subscriptions.get(id)).toMatchObject({ status: 'canceled', nextBilledAt: null });
    expect(await codeOf(paddle.subscriptions.update(id, { scheduledChange: null }))).toBe('subscription_update_when_canceled');
  });
});

describe('a change of plan', () => {
  const yearly: UpdateSubscriptionRequestBody = {
    ...{ items: [{ priceId: PRICES.yearly, quantity: 1 }], prorationBillingMode: 'prorated_immediately' },
  };

  it('to a year charges the difference that its preview shows, and nothing when the card is declined', async () => {
    const { id } = await buy();
    world.now += 10 * DAY;
    const { immediateTransaction, nextBilledAt } = await paddle.subscriptions.previewUpdate(id, yearly);
    const due = immediateTransaction?.details.totals.grandTotal;
    // 18 of 28 days are left.
    expect(due).toBe(String(24_000 - Math.round((2_500 * 18) / 28)));
    await actions.declineNextCharge();
    expect(await codeOf(paddle.subscriptions.update(id, yearly))).toBe('subscription_payment_declined');
    expect((await paddle.subscriptions.get(id)).billingCycle.interval).toBe('month');
    expect(await paddle.subscriptions.update(id, yearly)).toMatchObject({ nextBilledAt, items: [{ price: { id: PRICES.yearly } }] });
    expect((await paymentsOf(id))[0]?.details?.totals?.grandTotal).toBe(due);
  });

  it('to a cheaper price charges nothing before the next bill', async () => {
    const { id } = await buy(PRICES.larger);
    const change: UpdateSubscriptionRequestBody = {
      ...{ items: [{ priceId: PRICES.monthly, quantity: 1 }], prorationBillingMode: 'prorated_next_billing_period' },
    };
    const { immediateTransaction, nextTransaction } = await paddle.subscriptions.previewUpdate(id, change);
    expect([immediateTransaction, nextTransaction?.details.totals.grandTotal]).toEqual([null, '2500']);
    await paddle.subscriptions.update(id, change);
    await actions.renew(id);
    expect((await paymentsOf(id)).map(({ details }) => details?.totals?.grandTotal)).toEqual(['2500', '2900']);
  });

  it('is refused while a renewal locks the subscription', async () => {
    const { id } = await buy();
    await actions.lockNextUpdate();
    expect(await codeOf(paddle.subscriptions.cancel(id))).toBe('subscription_locked_renewal');
  });
});

describe('an end', () => {
  it('is scheduled, undone and reached', async () => {
    const { id, nextBilledAt } = await buy();
    const { scheduledChange } = await paddle.subscriptions.cancel(id, { effectiveFrom: 'next_billing_period' });
    expect(scheduledChange).toMatchObject({ action: 'cancel', effectiveAt: nextBilledAt });
    expect((await paddle.subscriptions.update(id, { scheduledChange: null })).scheduledChange).toBeNull();
    await paddle.subscriptions.cancel(id, { effectiveFrom: 'next_billing_period' });
    await actions.renew(id);
    expect(await paddle.subscriptions.get(id)).toMatchObject({ status: 'canceled', scheduledChange: null, canceledAt: expect.any(String) });
    expect(await codeOf(paddle.subscriptions.cancel(id))).toBe('subscription_is_canceled_action_invalid');
  });

  it('can be a pause, after which a new period is billed', async () => {
    const { id } = await buy();
    await actions.pause(id);
    expect(await paddle.subscriptions.get(id)).toMatchObject({ status: 'paused', nextBilledAt: null });
    await events();
    await paddle.subscriptions.resume(id, { effectiveFrom: 'immediately' });
    expect(await eventNames()).toEqual(['subscription.updated', 'subscription.resumed', 'transaction.completed']);
    expect(await paddle.subscriptions.get(id)).toMatchObject({ status: 'active', nextBilledAt: expect.any(String) });
  });

  it('leaves payments that can be refunded once', async () => {
    const { id } = await buy();
    await actions.refund(id);
    expect((await paymentsOf(id))[0]?.adjustmentsTotals?.breakdown?.refund).toBe('2500');
    await expect(actions.refund(id)).rejects.toThrow('no payment');
  });
});

describe('the pages', () => {
  const sameOrigin = { 'sec-fetch-site': 'same-origin' };
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = sameOrigin): Promise<Response> =>
    ask(path, { method: 'POST', headers, body: new URLSearchParams(fields) });

  it('take a test card in the checkout, and remember it', async () => {
    const { id } = await buy();
    const { id: transactionId } = await paddle.subscriptions.getPaymentMethodChangeTransaction(id);
    const checkout = `/checkout/${transactionId}`;
    expect(await (await ask(checkout)).text()).toContain('checkout.loaded');
    expect((await post(checkout, { card: '4444' }, { origin: 'https://elsewhere.example' })).status).toBe(404);
    expect(await (await post(checkout, { card: '0002' })).text()).toContain('The card was declined.');
    expect(await (await post(checkout, { card: '4444' })).text()).toContain('checkout.completed');
    expect(await (await post(checkout, { card: '4444' })).text()).toContain('checkout.error');
    await actions.renew(id);
    expect((await paymentsOf(id))[0]?.payments[0]?.methodDetails?.card?.last4).toBe('4444');
  });

  it('show a customer’s subscriptions and invoices, by ids that can’t be guessed', async () => {
    const { id, customerId } = await buy();
    const [payment] = await paymentsOf(id);
    const { url } = await paddle.transactions.getInvoicePDF(payment?.id ?? '');
    expect(await (await fetch(url)).text()).toContain('$25.00');
    const { urls } = await paddle.customerPortalSessions.create(customerId, [id]);
    expect(await (await fetch(urls.general.overview)).text()).toContain(payment?.invoiceNumber);
    expect((await ask('/invoice/txn_unknown')).status).toBe(404);
  });

  it('have buttons for people who may control the stand-in', async () => {
    const { id } = await buy();
    const press = (headers?: Record<string, string>): Promise<Response> => post('/press', { label: 'Pause', id }, headers);
    world.mayControl = false;
    expect([(await ask('/')).status, (await press()).status]).toEqual([404, 404]);
    world.mayControl = true;
    expect((await press({ origin: 'https://elsewhere.example' })).status).toBe(404);
    expect((await press()).status).toBe(303);
    expect(await (await ask('/')).text()).toContain('paused');
    expect(await (await press()).text()).toContain('The subscription is paused.');
  });
});
