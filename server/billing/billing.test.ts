import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ACCOUNT_ID, dana, pier, sam } from '#fixtures/business.ts';
import type { PaddleStandIn } from '#stand-ins/paddle/paddle.ts';
import { freePort } from '../../scripts/free-port.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { signInAsOperator } from '../../test/support/operator.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { submission } from '../../test/support/submission.ts';
import { inAccount } from '../platform/tenancy/access.ts';
import { openBilling } from './billing.ts';
import { openPaymentProvider, sandboxConfig } from './payments.ts';
import { openReminders } from './reminders.ts';
import { WEBHOOK_PATH } from './webhook.ts';

/* The whole product with Paddle's library, against the stand-in for Paddle. */

const DAY = 86_400_000;
const MONTHLY = { plan: 'Pro', paymentFrequency: 'Monthly' };
const ANNUAL = { plan: 'Pro', paymentFrequency: 'Annual' };

let app: TestApp;
let sandbox: PaddleStandIn;
let origin: string;
let secret: string;
let admin: string;
let operator: string;

beforeAll(async () => {
  const port = await freePort();
  const settings = { BILLING: 'sandbox', PORT: String(port), OPERATOR_EMAILS: dana.data.emailAddress };
  app = await openTestApp({ settings, also: addOtherAccount });
  await app.app.http.listen({ host: '127.0.0.1', port });
  origin = `http://127.0.0.1:${port}`;
  if (!app.app.sandbox) throw new Error('No sandbox');
  sandbox = app.app.sandbox;
  [secret = ''] = sandboxConfig(app.app.platform.config, app.app.platform.secret).webhookSecrets;
  operator = await signInAsOperator(app);
  admin = operator;
});
afterAll(() => app?.stop());

const call = (action: string, sent: object = {}, token = admin) => app.call('account', action, sent, token);
const subscription = async () => (await call('get', { accountId: ACCOUNT_ID })).body.account.data.subscription;
const row = async () => (await app.stored('select * from subscription where account_id = $1', [ACCOUNT_ID]))[0] ?? {};
const idOf = async (): Promise<string> => Object.keys((await row())['heard']).at(-1) ?? '';

/** Resets the account to a trial that ends in this time (ms), without a subscription. Returns the trial's end. */
async function inTrial(left: number): Promise<number> {
  const trialEndsAt = app.app.platform.now() + left;
  await sandbox.settled();
  // A job of the test before would store its subscription again.
  const waiting = () => app.stored("select from pgboss.job where name like 'billing.%' and state < 'completed' and start_after <= now()");
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), PATIENT);
  // Tests make more requests in a minute than the limits allow.
  await app.stored('delete from rate_limit');
  await app.stored(
    `update subscription set heard = '{}', bought = null, checkout = null, plan = 'Pro', payment_frequency = 'Monthly', trial_ends_at = $2
      where account_id = $1`,
    [ACCOUNT_ID, new Date(trialEndsAt)],
  );
  return trialEndsAt;
}

async function buy(choice: object = MONTHLY): Promise<string> {
  const { body } = await call('checkout', choice);
  await sandbox.actions.pay(body.transactionId);
  await sandbox.settled();
  return body.transactionId;
}

async function expectEventually(expected: object): Promise<void> {
  await vi.waitFor(async () => expect(await subscription()).toMatchObject(expected), PATIENT);
}

describe('buying', () => {
  it('in the trial is first billed at its end, to the millisecond', async () => {
    const trialEndsAt = await inTrial(10 * DAY + 12_345_000);
    expect(await subscription()).toMatchObject({ status: 'active', phase: 'trial', trialEndsAt });
    const transactionId = await buy(ANNUAL);
    await expectEventually({
      ...{ status: 'trial', phase: 'trial', plan: 'Pro', paymentFrequency: 'Annual', trialEndsAt, payment: { nextBilledAt: trialEndsAt } },
    });
    const { body } = await call('confirmPayment', { transactionId });
    expect(body.isConfirmed).toBe(true);
    expect((await call('checkout', MONTHLY)).status).toBe(409);
    // The renewal arrives as an event.
    await sandbox.actions.renew(await idOf());
    await expectEventually({ status: 'active', phase: 'paid' });
  });

  it('creates one checkout of concurrent requests, and a new one for another choice', async () => {
    await inTrial(DAY * 5);
    const [first, second] = await Promise.all([call('checkout', MONTHLY), call('checkout', MONTHLY)]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.body.transactionId).toBe(second.body.transactionId);
    expect((await call('checkout', MONTHLY)).body.transactionId).toBe(first.body.transactionId);
    const annual = (await call('checkout', ANNUAL)).body.transactionId;
    expect(annual).not.toBe(first.body.transactionId);
    await expect(sandbox.actions.pay(first.body.transactionId)).rejects.toThrow();
  });

  it('is confirmed only by the provider, even if its events are lost', async () => {
    await inTrial(-DAY);
    await sandbox.actions.holdDeliveries();
    const { transactionId } = (await call('checkout', MONTHLY)).body;
    expect((await call('confirmPayment', { transactionId })).body.isConfirmed).toBe(false);
    await sandbox.actions.pay(transactionId);
    expect((await call('confirmPayment', { transactionId })).body).toMatchObject({
      ...{ isConfirmed: true, account: { data: { subscription: { phase: 'paid', status: 'active' } } } },
    });
    await sandbox.actions.releaseDeliveries();
    await sandbox.settled();
    expect(await subscription()).toMatchObject({ phase: 'paid', status: 'active' });
  });

  it('limits the calls to the provider per account', async () => {
    await inTrial(-DAY);
    const stranger = await app.signIn(otherAccount.email);
    const answers = [];
    for (let count = 0; count < 61; count += 1) answers.push((await call('payments')).status);
    expect([answers.slice(0, 60).every((status) => status === 200), answers.at(-1)]).toEqual([true, 429]);
    expect((await call('payments', {}, stranger)).status).toBe(200);
  });

  it('is for admins, and hides another account’s payments', async () => {
    await inTrial(-DAY);
    const transactionId = await buy();
    const member = await app.signIn(sam.data.emailAddress);
    const stranger = await app.signIn(otherAccount.email);
    for (const [action, sent] of [
      ...[['checkout', MONTHLY] as const, ['cancelPlan', {}] as const, ['payments', {}] as const, ['changePayment', {}] as const],
    ])
      expect((await call(action, sent, member)).status).toBe(403);
    expect((await call('invoice', { transactionId }, stranger)).status).toBe(404);
    expect((await call('confirmPayment', { transactionId }, stranger)).body.isConfirmed).toBe(false);
    expect((await call('payments', {}, stranger)).body.payments).toEqual([]);
    expect((await call('payments')).body.payments).toEqual([
      expect.objectContaining({ id: transactionId, status: 'paid', total: { amount: 2_500, currency: 'USD' }, hasInvoice: true }),
    ]);
    expect((await call('invoice', { transactionId })).body.url).toContain('http');
  });
});

describe('an account whose trial or subscription ended', () => {
  it('can only be read and paid for, and visitors notice nothing', async () => {
    await inTrial(-1);
    expect(await subscription()).toMatchObject({ phase: 'ended' });
    const refused = await app.call('tag', 'save', { payload: { data: { displayName: 'Too late' } } }, admin);
    expect([refused.status, refused.body.code]).toEqual([402, 'subscription-ended']);
    for (const [service, action, sent] of [
      ['feedback', 'list', { accountId: ACCOUNT_ID }],
      ['property', 'list', { accountId: ACCOUNT_ID }],
      ['user', 'list', { accountId: ACCOUNT_ID }],
    ] as const)
      expect((await app.call(service, action, sent, admin)).status).toBe(200);
    expect((await app.call('form', 'get', { formId: pier.data.formId })).status).toBe(200);
    const { idempotencyKey, payload } = submission({ rating: 1 });
    expect((await app.call('feedback', 'save', { idempotencyKey, payload })).body.status).toBe('ok');
    await buy();
    await expectEventually({ phase: 'paid' });
    expect((await app.call('tag', 'save', { payload: { data: { displayName: 'In time' } } }, admin)).status).toBe(200);
  });

  it('never gets a second trial by signing up again', async () => {
    await inTrial(-1);
    for (const [action, sent] of [
      ['choosePlan', MONTHLY],
      ['startTrial', {}],
      ['getStarted', { businessName: 'Again' }],
    ] as const)
      expect((await call(action, sent)).status).toBe(402);
    expect(await subscription()).toMatchObject({ phase: 'ended' });
  });
});

describe('a subscription', () => {
  beforeEach(async () => {
    await inTrial(-1);
    await buy();
    await expectEventually({ phase: 'paid' });
  });

  it('with a failed renewal works for two weeks, and recovers when it is paid', async () => {
    const id = await idOf();
    await sandbox.actions.failRenewal(id);
    await expectEventually({ status: 'past_due', phase: 'grace' });
    const { graceEndsAt } = (await subscription()).payment;
    expect(Math.abs(graceEndsAt - app.app.platform.now() - 14 * DAY)).toBeLessThan(60_000);
    expect((await call('previewPlan', ANNUAL)).status).toBe(409);
    const { transactionId } = (await call('changePayment')).body;
    await sandbox.actions.pay(transactionId);
    await expectEventually({ status: 'active', phase: 'paid' });
    expect(await app.mailTo(dana.data.emailAddress, 'A payment failed')).toContain('?panel=plan');
  });

  it('costs what the preview showed after a change', async () => {
    const { preview } = (await call('previewPlan', ANNUAL)).body;
    expect(preview.recurring).toEqual({ amount: 24_000, currency: 'USD' });
    expect((await call('changePlan', ANNUAL)).body.account.data.subscription).toMatchObject({ paymentFrequency: 'Annual', cost: 20 });
    const [last] = (await call('payments')).body.payments;
    expect(last.total).toEqual(preview.dueNow);
  });

  it('doesn’t change if the charge is declined or the provider has locked it', async () => {
    await sandbox.actions.declineNextCharge();
    const declined = await call('changePlan', ANNUAL);
    expect([declined.status, declined.body.code]).toEqual([402, 'payment-declined']);
    await sandbox.actions.lockNextUpdate();
    const locked = await call('changePlan', ANNUAL);
    expect([locked.status, locked.body.detail]).toEqual([409, 'Your subscription is being renewed. Please try again in half an hour.']);
    expect(await subscription()).toMatchObject({ paymentFrequency: 'Monthly', phase: 'paid' });
  });

  it('that is canceled ends with the paid period unless that is undone; the next has no trial', async () => {
    const cancelled = (await call('cancelPlan')).body.account.data.subscription;
    expect(cancelled).toMatchObject({ phase: 'paid', payment: { cancelAt: expect.any(Number) } });
    expect((await call('keepPlan')).body.account.data.subscription.payment.cancelAt).toBeUndefined();
    await call('cancelPlan');
    await sandbox.actions.renew(await idOf());
    await expectEventually({ status: 'cancelled', phase: 'ended' });
    await buy(ANNUAL);
    await expectEventually({ status: 'active', phase: 'paid', paymentFrequency: 'Annual' });
  });

  it('is the same after events arrive twice, late and in reverse', async () => {
    const id = await idOf();
    await sandbox.actions.holdDeliveries();
    await sandbox.actions.failRenewal(id);
    await sandbox.actions.recover(id);
    await sandbox.actions.releaseReversed();
    await sandbox.actions.deliverAgain(8);
    await sandbox.settled();
    await expectEventually({ status: 'active', phase: 'paid' });
    const events = await app.stored(
      "select count(*)::int as n, count(distinct event_id)::int as ids from billing_event where outcome = 'settled'",
    );
    expect(events[0]?.['n']).toBe(events[0]?.['ids']);
  });

  it('recovers from lost events when their list is read', async () => {
    const id = await idOf();
    await sandbox.actions.holdDeliveries();
    await sandbox.actions.failRenewal(id);
    expect(await subscription()).toMatchObject({ phase: 'paid' });
    await catchUp();
    await expectEventually({ phase: 'grace' });
    await sandbox.actions.releaseDeliveries();
  });

  it.each(['subscription', 'billing_event'])('recovers from lost events after the database was busy, in %s', async (table) => {
    await inTrial(-1);
    await buy();
    await expectEventually({ phase: 'paid' });
    await catchUp();
    await sandbox.actions.holdDeliveries();
    await sandbox.actions.failRenewal(await idOf());
    await app.stored(`update billing_reading set failure = null;
      create or replace function is_busy() returns trigger language plpgsql as $$ begin
        raise exception using errcode = '40P01', message = 'deadlock detected'; end $$;
      create trigger is_busy before insert or update on ${table} for each row execute function is_busy()`);
    await catchUp();
    await expect.poll(async () => (await app.stored('select failure from billing_reading'))[0]?.['failure']).not.toBeNull();
    await app.stored(`drop trigger is_busy on ${table}`);
    expect(await app.stored(`select why from billing_event where outcome = 'failed' and why like '%deadlock%'`)).toEqual([]);
    await catchUp();
    await expectEventually({ phase: 'grace' });
    await sandbox.actions.releaseDeliveries();
  });
});

async function catchUp(): Promise<void> {
  const { database, jobs } = app.app.platform;
  await database.transaction({}, (db) => jobs.queue(db, 'billing.catch-up', {}));
}

describe('without a reachable provider', () => {
  it.each([['refuses'], ['hangs']] as const)('that %s, every action is refused and nothing changes', async (how) => {
    await inTrial(-1);
    await buy();
    await expectEventually({ phase: 'paid' });
    await sandbox.actions.goDown(how);
    const actions = how === 'hangs' ? (['cancelPlan'] as const) : (['changePayment', 'cancelPlan', 'payments', 'paymentPortal'] as const);
    for (const action of actions) {
      const { status, body } = await call(action);
      expect([action, status, body.code]).toEqual([action, 503, 'payments-away']);
    }
    expect(await subscription()).toMatchObject({ phase: 'paid' });
    await inTrial(-1);
    if (how === 'refuses') expect((await call('checkout', MONTHLY)).body.code).toBe('payments-away');
    await sandbox.actions.comeBack();
    expect((await call('checkout', MONTHLY)).status).toBe(200);
  });
});

/** Posts to the webhook as Paddle or someone else. */
async function post(raw: string | Buffer, header: string | undefined): Promise<number> {
  const headers = { 'content-type': 'application/json', ...(header !== undefined && { 'paddle-signature': header }) };
  return (await fetch(`${origin}${WEBHOOK_PATH}`, { method: 'POST', headers, body: raw })).status;
}
function signed(raw: string | Buffer, { by = secret, at = Date.now() }: { by?: string; at?: number } = {}): string {
  const ts = Math.floor(at / 1_000);
  return `ts=${ts};h1=${createHmac('sha256', by).update(`${ts}:`).update(raw).digest('hex')}`;
}
const newId = (kind: string) => `${kind}_${randomBytes(13).toString('hex')}`;

/** Returns a subscription event as Paddle sends it. */
const eventWith = ({ data = {}, ...more }: { data?: object; [field: string]: unknown } = {}) => ({
  event_id: newId('evt'),
  event_type: 'subscription.updated',
  occurred_at: '2026-11-21T12:00:00.123456Z',
  notification_id: newId('ntf'),
  data: {
    id: newId('sub'),
    status: 'active',
    customer_id: newId('ctm'),
    address_id: newId('add'),
    currency_code: 'USD',
    collection_mode: 'automatic',
    created_at: '2026-11-01T12:00:00Z',
    updated_at: '2026-11-21T12:00:00Z',
    billing_cycle: { interval: 'month', frequency: 1 },
    items: [
      { status: 'active', quantity: 1, recurring: true, price: { id: 'pri_promonthly0000000000000000' }, product: { id: newId('pro') } },
    ],
    ...data,
  },
  ...more,
});

describe('a posted event', () => {
  const outcomeOf = async (id: string) => (await app.stored('select outcome, why, body from billing_event where event_id = $1', [id]))[0];

  it('is accepted only with a current signature', async () => {
    const raw = JSON.stringify(eventWith({ data: { custom_data: { account: 'Café “Zürich”' } } }));
    const otherSecret = 'pdl_ntfset_somebody_else';
    const [head, hash] = signed(raw).split(';');
    for (const header of [
      ...[undefined, '', 'ts=1', `${head}`, `${hash}`, signed(raw, { by: otherSecret }), signed(raw, { by: '' })],
      ...[signed(raw, { at: Date.now() - 60_000 }), signed(raw, { at: Date.now() + 3_600_000 })],
    ])
      expect([header, await post(raw, header)]).toEqual([header, 401]);
    expect(await post(raw.replace('active', 'paused'), signed(raw))).toBe(401);
    expect(await post(JSON.stringify(JSON.parse(raw), null, 1), signed(raw))).toBe(401);
    // There are two signatures, in any order, while a secret is being replaced.
    const otherHash = signed(raw, { by: otherSecret }).split(';')[1];
    expect(await post(raw, `${head};${otherHash};${hash}`)).toBe(200);
    expect(await post(raw, `${head};${hash};${otherHash}`)).toBe(200);
  });

  it('that is broken, huge or unknown changes nothing', async () => {
    const raw = JSON.stringify(eventWith());
    const truncated = raw.slice(0, 200);
    expect(await post(truncated, signed(truncated))).toBe(500);
    const { items: _items, ...data } = eventWith().data;
    const broken = JSON.stringify({ ...eventWith(), data });
    expect(await post(broken, signed(broken))).toBe(500);
    const { problems } = (await call('billingProblems', {}, operator)).body;
    const problem = problems.find(({ eventId }: { eventId: string }) => eventId === JSON.parse(broken).event_id);
    expect(problem).toMatchObject({ outcome: 'failed', why: expect.stringContaining('could not be applied') });
    expect((await call('replayBillingEvent', { eventId: problem.eventId }, operator)).body.isSettled).toBe(false);
    const huge = Buffer.alloc(1_100_000, 'x');
    expect(await post(huge, signed(huge))).toBe(413);
    const strange = JSON.stringify(eventWith({ event_type: 'weather.changed' }));
    expect(await post(strange, signed(strange))).toBe(200);
  });

  const starts = async () => (await app.stored("select 1 from event where name = 'subscription.started'")).length;

  it('is applied once if it arrives concurrently', async () => {
    const event = eventWith({ data: { custom_data: { account: ACCOUNT_ID } } });
    await inTrial(-1);
    const before = await starts();
    const raw = JSON.stringify(event);
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(raw, signed(raw))));
    expect(answers.every((status) => status === 200)).toBe(true);
    expect(await subscription()).toMatchObject({ phase: 'paid' });
    expect(await starts()).toBe(before + 1);
  });

  it('goes to the account in its custom data, even if another one has the same customer', async () => {
    await inTrial(-1);
    await buy();
    await expectEventually({ phase: 'paid' });
    const customer_id = (await row())['heard'][await idOf()].subscription.customerId;
    const event = eventWith({ data: { customer_id, custom_data: { account: otherAccount.accountId } } });
    const raw = JSON.stringify(event);
    expect(await post(raw, signed(raw))).toBe(200);
    expect(Object.keys((await row())['heard'])).not.toContain(event.data.id);
    const [other] = await app.stored('select heard from subscription where account_id = $1', [otherAccount.accountId]);
    expect(Object.keys(other?.['heard'])).toEqual([event.data.id]);
  });

  it('of an unknown account or price waits until an operator applies it', async () => {
    await inTrial(-1);
    const unmatched = eventWith();
    const priced = eventWith({
      data: { custom_data: { account: ACCOUNT_ID }, items: [{ price: { id: newId('pri') }, product: { id: newId('pro') } }] },
    });
    for (const event of [unmatched, priced]) {
      const raw = JSON.stringify(event);
      expect(await post(raw, signed(raw))).toBe(200);
    }
    expect(await subscription()).toMatchObject({ phase: 'ended' });
    const { problems } = (await call('billingProblems', {}, operator)).body;
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ eventId: unmatched.event_id, outcome: 'unmatched' }),
        expect.objectContaining({
          eventId: priced.event_id,
          outcome: 'failed',
          why: expect.stringContaining('No setting names the price'),
        }),
      ]),
    );
    expect((await call('replayBillingEvent', { eventId: unmatched.event_id }, operator)).body.isSettled).toBe(false);
    await app.stored('insert into billing_reference (id, account_id) values ($1, $2)', [unmatched.data.id, ACCOUNT_ID]);
    expect((await call('replayBillingEvent', { eventId: unmatched.event_id }, operator)).body.isSettled).toBe(true);
    expect(await subscription()).toMatchObject({ phase: 'paid' });
    expect(await outcomeOf(unmatched.event_id)).toEqual({ outcome: 'settled', why: '', body: null });
  });
});

describe('trial reminders', () => {
  const reminders = async () =>
    (
      await app.stored(
        "select name, data->>'days' as days from event where name like 'subscription.trial-e%' and account_id = $1 order by id",
        [ACCOUNT_ID],
      )
    ).map(({ name, days }) => [name, days]);

  it('are sent once, a week and two days before the end and at the end, unless a subscription was bought', async () => {
    const { platform } = app.app;
    const at = (now: number) => openReminders({ ...platform, now: () => now })();
    const trialEndsAt = await inTrial(30 * DAY);
    const before = (await reminders()).length;
    for (const left of [8, 7, 6.5, 2, 1, 0, -1]) for (const _twice of [1, 2]) await at(trialEndsAt - left * DAY);
    expect((await reminders()).slice(before)).toEqual([
      ['subscription.trial-ending', '7'],
      ['subscription.trial-ending', '2'],
      ['subscription.trial-ended', null],
    ]);
    const boughtTrialEnd = await inTrial(9 * DAY);
    await buy();
    await expectEventually({ status: 'trial' });
    await at(boughtTrialEnd - DAY);
    expect((await reminders()).length).toBe(before + 3);
  });
});

describe('a subscription unknown to the provider', () => {
  it('ends when an operator syncs it', async () => {
    const event = eventWith({ data: { custom_data: { account: ACCOUNT_ID } } });
    await inTrial(-1);
    const raw = JSON.stringify(event);
    await post(raw, signed(raw));
    expect(await subscription()).toMatchObject({ phase: 'paid' });
    expect((await call('syncSubscription', { accountId: ACCOUNT_ID }, operator)).status).toBe(200);
    await expectEventually({ status: 'cancelled', phase: 'ended' });
  });
});

describe('a deleted account', () => {
  it('has its subscription canceled, and later events change nothing', async () => {
    await inTrial(-1);
    await buy();
    await expectEventually({ phase: 'paid' });
    const id = await idOf();
    await call('masterDelete', { accountId: ACCOUNT_ID, reason: 'It closed' }, operator);
    await vi.waitFor(async () => expect((await row())['bought']).toBe('canceled'), PATIENT);
    await call('restore');
    await sandbox.actions.deliverAgain(5);
    await sandbox.settled();
    expect(await subscription()).toMatchObject({ status: 'cancelled', phase: 'ended' });
    expect(Object.keys((await row())['heard'])).toContain(id);
  });

  it('has its checkout canceled, and later payments are reported to operators', async () => {
    await inTrial(-1);
    const { transactionId } = (await call('checkout', MONTHLY)).body;
    await call('masterDelete', { accountId: ACCOUNT_ID, reason: 'It closed' }, operator);
    await expect.poll(() => openPaymentProvider(app.app.platform)?.isOpen(transactionId)).toBe(false);
    await call('restore');
    await app.stored(`insert into billing_reference (id, account_id) values ('ctm_gone', 'ACCOUNT_Gone')`);
    const outcomes = [];
    for (const status of ['active', 'canceled']) {
      const event = eventWith({ data: { customer_id: 'ctm_gone', status } });
      const raw = JSON.stringify(event);
      expect(await post(raw, signed(raw))).toBe(200);
      outcomes.push((await app.stored('select outcome, why from billing_event where event_id = $1', [event.event_id]))[0]);
    }
    expect(outcomes).toEqual([
      { outcome: 'noted', why: 'Its account was deleted but is still being billed. Cancel it with the provider.' },
      { outcome: 'settled', why: 'Its account was deleted.' },
    ]);
  });

  it('keeps its subscription if it is restored before the provider was reached', async () => {
    await inTrial(-1);
    await buy();
    await expectEventually({ phase: 'paid' });
    const jobs = (state: string) => app.stored(`select id from pgboss.job where name = 'billing.cancel' and state = '${state}'`);
    const completedBefore = (await jobs('completed')).length;
    await sandbox.actions.goDown('refuses');
    await call('masterDelete', { accountId: ACCOUNT_ID, reason: 'It closed' }, operator);
    await expect.poll(async () => (await jobs('retry')).length).toBe(1);
    await call('restore');
    await sandbox.actions.comeBack();
    await app.stored(`update pgboss.job set start_after = now() where name = 'billing.cancel' and state = 'retry'`);
    await expect.poll(async () => (await jobs('completed')).length).toBe(completedBefore + 1);
    expect(await subscription()).toMatchObject({ status: 'active', phase: 'paid' });
  });

  it('doesn’t wait for an unknown subscription, or without billing', async () => {
    const event = eventWith({ data: { custom_data: { account: ACCOUNT_ID } } });
    await inTrial(-1);
    const raw = JSON.stringify(event);
    await post(raw, signed(raw));
    const { platform } = app.app;
    const unpaid = openBilling({ platform, provider: undefined });
    expect(await inAccount(platform, { accountId: ACCOUNT_ID, actor: dana.id }, unpaid.isRunning)).toBe(false);
    await call('masterDelete', { accountId: ACCOUNT_ID, reason: 'It closed' }, operator);
    await vi.waitFor(async () => expect((await row())['bought']).toBe('canceled'), PATIENT);
    await call('restore');
  });
});

describe('an operator', () => {
  it('lists subscriptions, extends a trial and grants the free plan', async () => {
    await inTrial(3 * DAY);
    const accountIdsIn = async (standing: string) =>
      (await call('listSubscriptions', { standing }, operator)).body.subscriptions.map(
        ({ account }: { account: { id: string } }) => account.id,
      );
    expect(await accountIdsIn('trial')).toContain(ACCOUNT_ID);
    expect(await accountIdsIn('ended')).not.toContain(ACCOUNT_ID);
    const endsAt = app.app.platform.now() + 30 * DAY;
    expect((await call('extendTrial', { accountId: ACCOUNT_ID, endsAt }, operator)).body.account.data.subscription.trialEndsAt).toBe(
      endsAt,
    );
    expect((await call('extendTrial', { accountId: ACCOUNT_ID, endsAt: endsAt + 400 * DAY }, operator)).status).toBe(400);
    await call('giveBeta', { accountId: ACCOUNT_ID }, operator);
    expect(await subscription()).toMatchObject({ plan: 'Beta', phase: 'none' });
    expect(await accountIdsIn('free')).toContain(ACCOUNT_ID);
    await inTrial(-1);
    await buy();
    await expectEventually({ phase: 'paid' });
    expect(await accountIdsIn('paid')).toContain(ACCOUNT_ID);
    expect((await call('giveBeta', { accountId: ACCOUNT_ID }, operator)).status).toBe(409);
    // A paid subscription ends the trial for good, whatever its date.
    await call('cancelPlan');
    await sandbox.actions.renew(await idOf());
    await expectEventually({ phase: 'ended' });
    await app.stored('update subscription set trial_ends_at = $2 where account_id = $1', [ACCOUNT_ID, new Date(endsAt)]);
    expect(await subscription()).toMatchObject({ phase: 'ended' });
    expect([await accountIdsIn('ended'), await accountIdsIn('trial')].map((ids) => ids.includes(ACCOUNT_ID))).toEqual([true, false]);
    const member = await app.signIn(sam.data.emailAddress);
    expect((await call('listSubscriptions', {}, member)).status).toBe(403);
  });
});
