import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  ApiError,
  type Environment,
  type EventEntity,
  LogLevel,
  Paddle,
  type Subscription,
  type UpdateSubscriptionRequestBody,
} from '@paddle/paddle-node-sdk';
import fastify from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSandbox, type PaddleSandbox, type SandboxOptions } from './sandbox.ts';

const SECRET = 'pdl_ntfset_test';
const KEY = 'pdl_sdbx_apikey_test';

/** Takes events as a product does: by the real library, with the signature. */
const received: EventEntity[] = [];
let refusals = 0;
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  refusals -= 1;
  if (refusals >= 0) return response.writeHead(500).end();
  try {
    received.push(await paddle.webhooks.unmarshal(Buffer.concat(chunks).toString(), SECRET, String(request.headers['paddle-signature'])));
    return response.end();
  } catch {
    return response.writeHead(401).end();
  }
});

const http = fastify();
let now = Date.parse('2026-01-31T09:30:00.123Z');
let sandbox: PaddleSandbox;
let paddle: Paddle;
let prices: { monthly: string; yearly: string; larger: string; product: string };

const optionsFor = (more: Partial<SandboxOptions> = {}): SandboxOptions => ({
  now: () => now,
  random: (size) => randomBytes(size),
  apiKey: KEY,
  notify: { url: () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, secret: SECRET },
  delay: 0,
  mayControl: () => true,
  log: { info: () => undefined, warn: () => undefined },
  ...more,
});

const clientAt = (address: string): Paddle => new Paddle(KEY, { environment: address as Environment, logLevel: LogLevel.none });

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  sandbox = await openSandbox(optionsFor());
  await http.register(sandbox.routes, { prefix: '/sandbox' });
  const address = await http.listen({ port: 0, host: '127.0.0.1' });
  paddle = clientAt(`${address}/sandbox/api`);
  const product = await paddle.products.create({ name: 'Pro', taxCategory: 'saas', customData: { plan: 'pro' } });
  const price = async (amount: string, interval: 'month' | 'year'): Promise<string> => {
    const { id } = await paddle.prices.create({
      productId: product.id,
      description: `Pro by the ${interval}`,
      unitPrice: { amount, currencyCode: 'USD' },
      billingCycle: { interval, frequency: 1 },
      quantity: { minimum: 1, maximum: 1 },
    });
    return id;
  };
  prices = {
    monthly: await price('2500', 'month'),
    yearly: await price('24000', 'year'),
    larger: await price('2900', 'month'),
    product: product.id,
  };
});
afterAll(async () => {
  await sandbox.stop();
  await http.close();
  receiver.close();
});
beforeEach(async () => {
  await sandbox.settled();
  received.length = 0;
});

/** The codes of what the API refuses. */
const codeOf = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return (error as ApiError).code;
};
const namesOf = (events: readonly EventEntity[]): string[] => events.map(({ eventType }) => eventType);
const told = async (): Promise<string[]> => {
  await sandbox.settled();
  return namesOf(received.splice(0));
};

/** Somebody new buys by a checkout. */
async function buy(priceId = prices.monthly): Promise<Subscription> {
  const customer = await paddle.customers.create({ email: `${randomBytes(6).toString('hex')}@example.com` });
  const transaction = await paddle.transactions.create({
    items: [{ priceId, quantity: 1 }],
    customerId: customer.id,
    customData: { accountid: customer.email },
    checkout: { url: 'http://localhost/pay' },
  });
  await sandbox.acts.pay(transaction.id);
  const { subscriptionId } = await paddle.transactions.get(transaction.id);
  await sandbox.settled();
  return paddle.subscriptions.get(subscriptionId ?? '');
}

describe('the API', () => {
  it('asks for the key', async () => {
    const address = (paddle as unknown as { client: { baseUrl: string } }).client.baseUrl;
    const stranger = new Paddle('another', { environment: address as Environment, logLevel: LogLevel.none });
    expect(await codeOf(stranger.products.list().next())).toBe('invalid_token');
    expect((await fetch(`${address}/products`)).status).toBe(403);
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

/** What the API says and the event said is the same. */
const lastOf = (events: readonly EventEntity[], name: string) => events.findLast(({ eventType }) => eventType === name)?.data;

describe('a renewal', () => {
  it('is counted from the first date, month by month', async () => {
    const { id } = await buy();
    for (const next of ['2026-03-31', '2026-04-30', '2026-05-31']) {
      now = Date.parse((await paddle.subscriptions.get(id)).nextBilledAt ?? '');
      await sandbox.acts.renew(id);
      expect((await paddle.subscriptions.get(id)).nextBilledAt).toBe(`${next}T09:30:00.123Z`);
    }
    await told();
    await sandbox.acts.renew(id);
    expect(await told()).toEqual([
      'subscription.updated',
      'transaction.created',
      'transaction.billed',
      'transaction.updated',
      'transaction.paid',
      'transaction.updated',
      'transaction.completed',
    ]);
    // Before its date it renews as though that were now.
    const { currentBillingPeriod } = await paddle.subscriptions.get(id);
    expect(currentBillingPeriod?.startsAt).toBe(new Date(now).toISOString());
  });

  it('that fails tells the new period first, is recovered by another card, or given up', async () => {
    const { id, customData } = await buy();
    await told();
    await sandbox.acts.failRenewal(id);
    await sandbox.settled();
    const events = received.splice(0);
    expect(namesOf(events)).toEqual([
      'subscription.updated',
      'transaction.created',
      'transaction.billed',
      'transaction.payment_failed',
      'transaction.updated',
      'transaction.past_due',
      'subscription.updated',
      'subscription.past_due',
    ]);
    expect(events.map(({ data }) => (data as { status: string }).status)).toEqual([
      'active',
      'billed',
      'billed',
      'billed',
      'past_due',
      'past_due',
      'past_due',
      'past_due',
    ]);
    // Within a millisecond, and told in order all the same.
    const instants = events.map(({ occurredAt }) => occurredAt.slice(0, -1).padEnd(29, '0'));
    expect(instants.toSorted()).toEqual(instants);
    expect(new Set(instants).size).toBe(instants.length);

    expect(
      await codeOf(
        paddle.subscriptions.update(id, { items: [{ priceId: prices.larger, quantity: 1 }], prorationBillingMode: 'do_not_bill' }),
      ),
    ).toBe('subscription_update_when_past_due');
    const debt = await paddle.subscriptions.getPaymentMethodChangeTransaction(id);
    expect(debt).toMatchObject({
      status: 'past_due',
      origin: 'subscription_recurring',
      customData,
      details: { totals: { grandTotal: '2500' } },
    });
    expect((await paddle.subscriptions.getPaymentMethodChangeTransaction(id)).id).toBe(debt.id);
    await sandbox.acts.pay(debt.id);
    expect(await told()).toEqual([
      'transaction.updated',
      'transaction.paid',
      'subscription.updated',
      'transaction.updated',
      'transaction.completed',
    ]);
    expect((await paddle.subscriptions.get(id)).status).toBe('active');

    await sandbox.acts.failRenewal(id);
    await sandbox.acts.declineNextCharge();
    expect(await sandbox.acts.recover(id)).toContain('declined');
    await told();
    await sandbox.acts.giveUp(id);
    expect(await told()).toEqual(['transaction.updated', 'transaction.canceled', 'subscription.updated', 'subscription.canceled']);
    expect(await paddle.subscriptions.get(id)).toMatchObject({ status: 'canceled', nextBilledAt: null, currentBillingPeriod: null });
    expect(await codeOf(paddle.subscriptions.update(id, { scheduledChange: null }))).toBe('subscription_update_when_canceled');
  });
});

describe('a change of plan', () => {
  it('charges what its preview says', async () => {
    const { id } = await buy();
    now += 10 * 86_400_000;
    const change: UpdateSubscriptionRequestBody = {
      items: [{ priceId: prices.yearly, quantity: 1 }],
      prorationBillingMode: 'prorated_immediately',
    };
    expect(await codeOf(paddle.subscriptions.update(id, { items: change.items ?? [] }))).toBe(
      'subscription_items_update_missing_proration_billing_mode',
    );
    const { immediateTransaction, updateSummary } = await paddle.subscriptions.previewUpdate(id, change);
    const due = immediateTransaction?.details.totals.grandTotal;
    expect(updateSummary?.result).toMatchObject({ action: 'charge', amount: due });
    expect(Number(due)).toBeGreaterThan(24000 - 2500);
    expect(Number(due)).toBeLessThan(24000);
    expect((await paddle.subscriptions.get(id)).billingCycle.interval).toBe('month');
    await told();

    await sandbox.acts.declineNextCharge();
    expect(await codeOf(paddle.subscriptions.update(id, change))).toBe('subscription_payment_declined');
    expect(await paddle.subscriptions.get(id)).toMatchObject({ status: 'active', billingCycle: { interval: 'month' } });
    await told();

    const changed = await paddle.subscriptions.update(id, change);
    await sandbox.settled();
    expect(lastOf(received, 'transaction.completed')).toMatchObject({
      origin: 'subscription_update',
      details: { totals: { grandTotal: due } },
    });
    expect(lastOf(received, 'subscription.updated')).toMatchObject({
      nextBilledAt: changed.nextBilledAt,
      items: [{ price: { id: prices.yearly } }],
    });
    expect(changed.currentBillingPeriod).toEqual({ startsAt: new Date(now).toISOString(), endsAt: expect.stringMatching(/^2027-/) });
  });

  it('gives back what was not used, with the next renewal', async () => {
    const { id } = await buy(prices.larger);
    const change: UpdateSubscriptionRequestBody = {
      items: [{ priceId: prices.monthly, quantity: 1 }],
      prorationBillingMode: 'prorated_next_billing_period',
    };
    const { immediateTransaction, nextTransaction, updateSummary } = await paddle.subscriptions.previewUpdate(id, change);
    expect([immediateTransaction, updateSummary?.result.action]).toEqual([null, 'credit']);
    await paddle.subscriptions.update(id, change);
    await told();
    await sandbox.acts.renew(id);
    await sandbox.settled();
    const { grandTotal, credit } = nextTransaction?.details.totals ?? {};
    expect(lastOf(received, 'transaction.completed')).toMatchObject({ details: { totals: { grandTotal, credit } } });
    expect([grandTotal, credit]).toEqual(['2100', '400']);
  });

  it('is refused while a renewal locks the subscription', async () => {
    const { id } = await buy();
    await sandbox.acts.lockNextUpdate();
    expect(await codeOf(paddle.subscriptions.cancel(id))).toBe('subscription_locked_renewal');
    expect((await paddle.subscriptions.cancel(id)).scheduledChange?.action).toBe('cancel');
  });
});

describe('an end', () => {
  it('is scheduled, undone, and reached', async () => {
    const { id, nextBilledAt } = await buy();
    expect((await paddle.subscriptions.cancel(id, { effectiveFrom: 'next_billing_period' })).scheduledChange).toMatchObject({
      action: 'cancel',
      effectiveAt: nextBilledAt,
    });
    const mode: UpdateSubscriptionRequestBody = {
      items: [{ priceId: prices.larger, quantity: 1 }],
      prorationBillingMode: 'full_next_billing_period',
    };
    expect(await codeOf(paddle.subscriptions.update(id, mode))).toBe('subscription_invalid_billing_mode_for_scheduled_change');
    expect((await paddle.subscriptions.update(id, { scheduledChange: null })).scheduledChange).toBeNull();
    await paddle.subscriptions.cancel(id);
    await told();
    await sandbox.acts.reachScheduledChange(id);
    expect(await told()).toEqual(['subscription.updated', 'subscription.canceled']);
    expect(await paddle.subscriptions.get(id)).toMatchObject({ status: 'canceled', scheduledChange: null, canceledAt: expect.any(String) });
  });

  it('can be a pause', async () => {
    const { id } = await buy();
    await paddle.subscriptions.pause(id, { effectiveFrom: 'immediately' });
    expect(await paddle.subscriptions.get(id)).toMatchObject({ status: 'paused', nextBilledAt: null });
    await told();
    await paddle.subscriptions.resume(id, { effectiveFrom: 'immediately' });
    expect((await told()).slice(0, 2)).toEqual(['subscription.updated', 'subscription.resumed']);
    expect(await paddle.subscriptions.get(id)).toMatchObject({ status: 'active', nextBilledAt: expect.any(String) });
  });
});

describe('what belongs to a payment', () => {
  it('is a card that can be changed, for nothing', async () => {
    const { id } = await buy();
    const change = await paddle.subscriptions.getPaymentMethodChangeTransaction(id);
    expect(change).toMatchObject({
      status: 'ready',
      origin: 'subscription_payment_method_change',
      details: { totals: { grandTotal: '0' } },
    });
    expect(change.checkout?.url).toBe(`http://localhost/pay?_ptxn=${change.id}`);
    await told();
    await sandbox.acts.pay(change.id, 'secured');
    expect(await told()).toEqual(['transaction.updated', 'transaction.paid', 'transaction.updated', 'transaction.completed']);
    expect(await codeOf(paddle.transactions.getInvoicePDF(change.id))).toBe('transaction_invoice_zero_value');
  });

  it('is given back once', async () => {
    const { id } = await buy();
    await told();
    await sandbox.acts.refund(id);
    expect(await told()).toEqual(['adjustment.created', 'adjustment.updated']);
    await expect(sandbox.acts.chargeBack(id)).rejects.toThrow('already');
  });
});

describe('deliveries', () => {
  it('come again, out of order, late, or never', async () => {
    const { id } = await buy();
    await told();
    await sandbox.acts.failRenewal(id);
    await sandbox.settled();
    const once = received.splice(0);
    await sandbox.acts.deliverAgain(once.length);
    await sandbox.settled();
    const again = received.splice(0);
    expect(again.map(({ eventId }) => eventId)).toEqual([...once, ...once].map(({ eventId }) => eventId));
    expect(new Set(again.map(({ notificationId }) => notificationId)).size).toBe(again.length);

    await sandbox.acts.reverseNextDeliveries();
    await sandbox.acts.recover(id);
    const reversed = await told();
    expect(reversed).toEqual([
      'transaction.completed',
      'transaction.updated',
      'subscription.updated',
      'transaction.paid',
      'transaction.updated',
    ]);

    await sandbox.acts.holdDeliveries();
    await paddle.subscriptions.cancel(id);
    expect(await told()).toEqual([]);
    await sandbox.acts.loseNextDelivery();
    await paddle.subscriptions.update(id, { scheduledChange: null });
    await sandbox.acts.releaseDeliveries();
    expect(await told()).toEqual(['subscription.updated']);

    refusals = 2;
    await paddle.subscriptions.cancel(id);
    expect(await told()).toEqual(['subscription.updated']);
  });

  it('can be read as events, after the last that was read', async () => {
    const { id } = await buy();
    const first = await paddle.events.list({ perPage: 3 }).next();
    const ids: string[] = [];
    for await (const event of paddle.events.list({ after: first.at(-1)?.eventId ?? '', perPage: 50 })) ids.push(event.eventId);
    expect(ids.length).toBeGreaterThan(50);
    expect(ids.toSorted()).toEqual(ids);
    expect(ids).not.toContain(first[0]?.eventId);
    const created = await paddle.events.list({ eventType: ['subscription.created'], orderBy: 'id[DESC]', perPage: 1 }).next();
    expect(created).toMatchObject([{ notificationId: null, data: { id } }]);
  });

  it('stop with the API that is down', async () => {
    await sandbox.acts.goDown('refuses');
    await expect(paddle.products.list().next()).rejects.toThrow(SyntaxError);
    await sandbox.acts.comeBack();
    expect(await paddle.products.list().next()).toHaveLength(1);
  });
});

it('goes on from its file', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'paddle-sandbox-'));
  const file = path.join(folder, 'state.json');
  const [before, after] = [fastify(), fastify()];
  try {
    const first = await openSandbox(optionsFor({ file }));
    await before.register(first.routes, { prefix: '/p' });
    const { id } = await clientAt(`${await before.listen({ port: 0, host: '127.0.0.1' })}/p/api`).customers.create({
      email: 'kept@example.com',
    });
    await first.settled();
    await first.acts.holdDeliveries();
    await clientAt(`http://127.0.0.1:${(before.server.address() as AddressInfo).port}/p/api`).customers.update(id, { name: 'Kept' });
    await first.stop();
    received.length = 0;

    const second = await openSandbox(optionsFor({ file }));
    await after.register(second.routes, { prefix: '/p' });
    expect(await clientAt(`${await after.listen({ port: 0, host: '127.0.0.1' })}/p/api`).customers.get(id)).toMatchObject({ name: 'Kept' });
    expect(await second.acts.releaseDeliveries()).toBe('Deliveries go on.');
    await second.settled();
    expect(namesOf(received)).toEqual(['customer.updated']);
    await second.stop();
  } finally {
    await Promise.all([before.close(), after.close()]);
    await rm(folder, { recursive: true });
  }
});
