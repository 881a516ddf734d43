import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, namesOf, openTestSeller } from '../../test/support/paddle-sandbox.ts';

const seller = await openTestSeller();
const { paddle, prices, sandbox, received, told, buy, ask } = seller;

afterAll(() => seller.stop());
beforeEach(async () => {
  await seller.told();
});

describe('the API', () => {
  it('asks for the key', async () => {
    expect((await ask('/api/products')).status).toBe(403);
    const answer = await ask('/api/products', { headers: { authorization: 'Bearer another' } });
    expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([403, 'invalid_token']);
  });

  it('has a catalog', async () => {
    const ids: string[] = [];
    for await (const { id } of paddle.prices.list({ productId: [prices.product], perPage: 2 })) ids.push(id);
    expect(ids.toSorted()).toEqual([prices.monthly, prices.yearly, prices.larger].toSorted());
    expect(await paddle.prices.get(prices.monthly)).toMatchObject({ unitPrice: { amount: '2500' }, billingCycle: { interval: 'month' } });
    expect(await codeOf(paddle.prices.get('pri_00000000000000000000000000'))).toBe('not_found');
  });

  it('knows an address of a customer once', async () => {
    const { id } = await paddle.customers.create({ email: 'once@example.com' });
    const again = paddle.customers.create({ email: 'Once@example.com' });
    await expect(again).rejects.toThrow(id);
    expect(await codeOf(again)).toBe('customer_already_exists');
    expect(await paddle.customers.list({ email: ['once@example.com'] }).next()).toMatchObject([{ id }]);
  });

  it('refuses a checkout that nothing can come of', async () => {
    const items = [{ priceId: prices.monthly, quantity: 1 }];
    expect(await codeOf(paddle.transactions.create({ items }))).toBe('transaction_default_checkout_url_not_set');
    const checkout = { url: 'http://localhost/pay' };
    expect(await codeOf(paddle.transactions.create({ items: [{ priceId: prices.monthly, quantity: 2 }], checkout }))).toBe('invalid_field');
    const { id } = await paddle.transactions.create({ items, checkout });
    expect((await paddle.transactions.update(id, { status: 'canceled' })).status).toBe('canceled');
    expect(await codeOf(paddle.transactions.update(id, { status: 'canceled' }))).toBe('transaction_invalid_status_change');
  });
});

describe('a purchase', () => {
  it('makes a subscription, and tells it in order', async () => {
    const { id, customData, nextBilledAt, customerId } = await buy();
    // From the last of January: the last of February.
    expect(nextBilledAt).toBe('2026-02-28T09:30:00.123Z');
    const events = received.splice(0);
    expect(namesOf(events)).toEqual([
      'customer.created',
      'transaction.created',
      'address.created',
      'transaction.updated',
      'transaction.ready',
      'transaction.updated',
      'transaction.paid',
      'subscription.created',
      'subscription.activated',
      'transaction.updated',
      'transaction.completed',
    ]);
    expect(customData).toEqual({ accountid: expect.stringContaining('@example.com') });
    expect(events.at(-1)?.data).toMatchObject({ subscriptionId: id, invoiceNumber: expect.stringMatching(/^TEST-/), customData });
    expect(events.find(({ eventType }) => eventType === 'subscription.created')?.data).toMatchObject({
      id,
      customData,
      transactionId: expect.stringMatching(/^txn_/),
    });
    const ids = events.map(({ eventId }) => eventId);
    expect(ids.toSorted()).toEqual(ids);
    expect([id, customerId, ...ids].every((each) => /^(?:sub|ctm|evt)_[a-z\d]{26}$/.test(each))).toBe(true);
  });

  it('says what came of a card that is declined', async () => {
    const transaction = await paddle.transactions.create({
      items: [{ priceId: prices.monthly, quantity: 1 }],
      customerId: (await buy()).customerId,
      checkout: { url: 'http://localhost/pay?from=here' },
    });
    expect(transaction.checkout?.url).toBe(`http://localhost/pay?from=here&_ptxn=${transaction.id}`);
    await told();
    await sandbox.acts.pay(transaction.id, 'declined');
    expect(await told()).toEqual(['transaction.updated', 'transaction.ready', 'transaction.updated', 'transaction.payment_failed']);
    expect(await paddle.transactions.get(transaction.id)).toMatchObject({ status: 'ready', payments: [{ errorCode: 'declined' }] });
    await sandbox.acts.pay(transaction.id, 'secured');
    await expect(sandbox.acts.pay(transaction.id)).rejects.toThrow('non-ready');
  });

  it('begins with a trial where the price says so, and converts', async () => {
    const customer = await paddle.customers.create({ email: 'trial@example.com' });
    const { id } = await paddle.transactions.create({
      items: [
        {
          quantity: 1,
          price: {
            productId: prices.product,
            description: 'Pro, with the days left',
            unitPrice: { amount: '2500', currencyCode: 'USD' },
            billingCycle: { interval: 'month', frequency: 1 },
            trialPeriod: { interval: 'day', frequency: 12 },
          },
        },
      ],
      customerId: customer.id,
      checkout: { url: 'http://localhost/pay' },
    });
    await sandbox.acts.pay(id);
    const { subscriptionId, details } = await paddle.transactions.get(id);
    expect(details?.totals?.grandTotal).toBe('0');
    const trial = await paddle.subscriptions.get(subscriptionId ?? '');
    expect(trial).toMatchObject({ status: 'trialing', firstBilledAt: null, nextBilledAt: '2026-02-12T09:30:00.123Z' });
    expect(trial.items[0]?.trialDates?.endsAt).toBe(trial.nextBilledAt);
    const moved = await paddle.subscriptions.update(trial.id, {
      nextBilledAt: '2026-02-10T00:00:00Z',
      prorationBillingMode: 'do_not_bill',
    });
    expect(moved.items[0]?.trialDates?.endsAt).toBe('2026-02-10T00:00:00Z');
    const items = [{ priceId: prices.yearly, quantity: 1 }];
    expect(await codeOf(paddle.subscriptions.update(trial.id, { items, prorationBillingMode: 'prorated_immediately' }))).toBe(
      'subscription_trialing_items_update_invalid_options',
    );
    await told();
    await sandbox.acts.endTrial(trial.id);
    expect((await told()).filter((name) => name.startsWith('subscription.'))).toEqual(['subscription.updated', 'subscription.activated']);
    expect(await paddle.subscriptions.get(trial.id)).toMatchObject({ status: 'active', firstBilledAt: expect.any(String) });
  });
});
