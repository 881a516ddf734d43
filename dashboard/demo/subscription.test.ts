import { describe, expect, it } from 'vitest';
import type { Account } from '#contract/account/account.ts';
import type { Payment, PlanPreview } from '#contract/billing/subscription.ts';
import { dana, sam } from '#fixtures/business.ts';
import { createWorld } from '#fixtures/world/world.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const MONTHLY = { plan: 'Pro', paymentFrequency: 'Monthly' };
const ANNUAL = { plan: 'Pro', paymentFrequency: 'Annual' };

describe('the sample business’s subscription', () => {
  const world = createWorld({ now: () => NOW, isDemo: true, feedback: [], crypto });
  const ask = (action: string, sent: object = {}) =>
    world.call(dana, 'account', action, sent) as Promise<{ account: Account; payments: Payment[]; preview: PlanPreview }>;
  const subscription = async () => (await ask('get', { accountId: dana.data.accountId })).account.data.subscription;

  it('has a plan with a next bill, and past payments', async () => {
    expect(await subscription()).toMatchObject({ phase: 'paid', payment: { nextBilledAt: Date.UTC(2027, 5, 23, 9) } });
    expect((await ask('payments')).payments.map(({ total }) => total.amount)).toEqual([24_000, 2_500, 2_500, 2_500]);
  });

  it('changes as previewed', async () => {
    const { preview: fewer } = await ask('previewPlan', MONTHLY);
    expect(fewer).toMatchObject({ next: { total: { amount: 0 } }, recurring: { amount: 2_500 } });
    await ask('changePlan', MONTHLY);
    expect(await subscription()).toMatchObject({ paymentFrequency: 'Monthly', cost: 25, payment: { nextBilledAt: fewer.next?.at } });
    const { preview: more } = await ask('previewPlan', ANNUAL);
    expect(more.dueNow?.amount).toBe(24_000 - 2_500);
    await ask('changePlan', ANNUAL);
    expect((await ask('payments')).payments[0]?.total).toEqual(more.dueNow);
  });

  it('is canceled at the end of the paid period, and can be kept', async () => {
    const { payment } = await subscription();
    await ask('cancelPlan');
    expect((await subscription()).payment?.cancelAt).toBe(payment?.nextBilledAt);
    await expect(ask('changePlan', MONTHLY)).rejects.toMatchObject({ code: 'conflict' });
    await ask('keepPlan');
    expect((await subscription()).payment).toEqual(payment);
  });

  it('refuses payments, and refuses non-admins', async () => {
    for (const action of ['changePayment', 'paymentPortal']) await expect(ask(action)).rejects.toMatchObject({ code: 'not-allowed' });
    await expect(world.call(sam, 'account', 'payments', {})).rejects.toMatchObject({ code: 'not-allowed' });
  });

  it('refuses billing actions without billing', async () => {
    const free = createWorld({ now: () => NOW, feedback: [], crypto });
    for (const action of ['payments', 'cancelPlan', 'keepPlan', 'changePayment'])
      await expect(free.call(dana, 'account', action, {})).rejects.toMatchObject({ code: 'not-billed' });
  });
});
