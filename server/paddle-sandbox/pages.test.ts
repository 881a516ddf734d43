import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestSeller } from '../../test/support/paddle-sandbox.ts';

const seller = await openTestSeller();
const { paddle, prices, world, ask, buy } = seller;

afterAll(() => seller.stop());
beforeEach(async () => {
  await seller.told();
});

describe('the pages', () => {
  const own = { 'sec-fetch-site': 'same-origin' };
  const pay = async (id: string, fields: object, headers: Record<string, string> = own): Promise<Response> =>
    ask(`/checkout/${id}/pay`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });

  it('take cards in the checkout', async () => {
    const { customerId } = await buy();
    const items = [{ priceId: prices.monthly, quantity: 1 }];
    const { id } = await paddle.transactions.create({ items, customerId, checkout: { url: 'http://localhost/pay' } });
    expect(await (await ask(`/checkout/${id}`)).text()).toContain('checkout.loaded');
    expect((await pay(id, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(404);
    const outcomes: unknown[] = [];
    for (const fields of [
      { number: '4111 1111 1111 1111', name: 'A' },
      { number: '4000 0000 0000 0002', name: 'A' },
      { number: '4000003800000446', name: 'A' },
      { number: '4000003800000446', name: 'A', answer: 'refuse' },
      { number: '4000003800000446', name: 'A', answer: 'confirm' },
      { number: '4242424242424242', name: 'A' },
    ])
      outcomes.push(((await (await pay(id, fields)).json()) as { outcome: string }).outcome);
    expect(outcomes).toEqual(['invalid', 'declined', 'asked', 'declined', 'paid', 'invalid']);
    expect(await (await ask(`/checkout/${id}`)).text()).toContain('checkout.error');
    const codes = (await paddle.transactions.get(id)).payments.map(({ errorCode }) => errorCode);
    expect(codes).toEqual([null, 'authentication_failed', 'declined']);
  });

  it('have a portal and invoices behind links that cannot be guessed', async () => {
    const { id, customerId } = await buy();
    const [payment] = await paddle.transactions.list({ subscriptionId: [id] }).next();
    const { url } = await paddle.transactions.getInvoicePDF(payment?.id ?? '');
    expect(
      Buffer.from(await (await fetch(url)).arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect((await fetch(url.replace(/.$/, (letter) => (letter === 'A' ? 'B' : 'A')))).status).toBe(404);
    const { urls } = await paddle.customerPortalSessions.create(customerId, [id]);
    const cancelling = urls.subscriptions[0]?.cancelSubscription ?? '';
    expect((await fetch(cancelling, { method: 'POST' })).status).toBe(404);
    expect((await fetch(cancelling, { method: 'POST', headers: own, redirect: 'manual' })).status).toBe(303);
    expect((await paddle.subscriptions.get(id)).scheduledChange?.action).toBe('cancel');
    world.now += 3_600_000;
    expect((await fetch(url)).status).toBe(404);
  });

  it('have buttons for who may control', async () => {
    const { id } = await buy();
    const press = (fields: Record<string, string>, headers: Record<string, string> = own) =>
      ask('/act', { method: 'POST', headers, body: new URLSearchParams(fields) });
    world.mayControl = false;
    expect([(await ask('/')).status, (await press({ press: 'pause', id })).status]).toEqual([404, 404]);
    world.mayControl = true;
    expect((await press({ press: 'pause', id }, { origin: 'https://elsewhere.example' })).status).toBe(404);
    expect((await press({ press: 'pause', id })).status).toBe(303);
    expect(await (await ask('/')).text()).toContain('The subscription is paused.');
    await press({ press: 'renew', id });
    expect(await (await ask('/')).text()).toContain('Not done: The subscription is paused.');
  });
});
