import type { EventEntity, UpdateSubscriptionRequestBody } from '@paddle/paddle-node-sdk';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, namesOf, openTestSeller } from '../../test/support/paddle-sandbox.ts';

const seller = await openTestSeller();
const { paddle, prices, sandbox, world, received, told, buy } = seller;

afterAll(() => seller.stop());
beforeEach(async () => {
  await seller.told();
});

/** What the API says and the event said is the same. */
const lastOf = (events: readonly EventEntity[], name: string) => events.findLast(({ eventType }) => eventType === name)?.data;

describe('a renewal', () => {
  it('is counted from the first date, month by month', async () => {
    const { id } = await buy();
    for (const next of ['2026-03-31', '2026-04-30', '2026-05-31']) {
      world.now = Date.parse((await paddle.subscriptions.get(id)).nextBilledAt ?? '');
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
    expect(currentBillingPeriod?.startsAt).toBe(new Date(world.now).toISOString());
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
    world.now += 10 * 86_400_000;
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
    expect(changed.currentBillingPeriod).toEqual({ startsAt: new Date(world.now).toISOString(), endsAt: expect.stringMatching(/^2027-/) });
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
    await told();
    await sandbox.acts.renew(id);
    await sandbox.settled();
    expect(lastOf(received, 'transaction.completed')).toMatchObject({ details: { totals: { grandTotal: '2500', credit: '0' } } });
  });

  it('is charged with the next renewal, where it costs more', async () => {
    const { id } = await buy();
    const items = [{ priceId: prices.larger, quantity: 1 }];
    await paddle.subscriptions.update(id, { items, prorationBillingMode: 'prorated_next_billing_period' });
    await told();
    await sandbox.acts.renew(id);
    await sandbox.settled();
    expect(lastOf(received, 'transaction.completed')).toMatchObject({ details: { totals: { grandTotal: '3300' } } });
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
