import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TRIAL_DAYS } from '#contract/billing.ts';
import { account, dana, pier } from '#fixtures/business.ts';
import { openTestApp, SAMPLE_PASSWORD, type TestApp } from '../../test/support/app.ts';
import { formOf, submission } from '../../test/support/submission.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.stop());

const DAY = 86_400_000;

const signUp = async (emailAddress: string) => {
  const data = { displayName: 'Ann Lee', emailAddress, companyName: 'New Shop' };
  return (await app.call('user', 'create', { password: SAMPLE_PASSWORD, payload: { data } })).body;
};

/** A business that has just confirmed its address. */
async function newBusiness(): Promise<{ email: string; accountId: string; token: string }> {
  const email = `${randomUUID().slice(0, 8)}@newshop.test`;
  const { data } = await signUp(email);
  const [, ConfirmationCode] = /\b(\d{6})\b/.exec(await app.mailTo(email, /\d{6}/)) ?? [];
  await app.pool('ConfirmSignUp', { Username: email, ConfirmationCode });
  return { email, accountId: data.account.id, token: await app.signIn(email) };
}

/** Lets the job run that deletes for good. */
async function purge(): Promise<void> {
  const { kernel } = app.app;
  const doneJobs = async () => (await app.stored(`select id from pgboss.job where name = 'account.purge' and state = 'completed'`)).length;
  const before = await doneJobs();
  await kernel.database.transaction({}, (db) => kernel.jobs.queue(db, 'account.purge', {}));
  await vi.waitFor(async () => expect(await doneJobs()).toBe(before + 1), { timeout: 20_000, interval: 100 });
}

describe('the steps of signing up', () => {
  it('lead from nothing to a property with its form, each once', async () => {
    const { token, accountId } = await newBusiness();
    const step = (action: string, sent: object = {}) => app.call('account', action, sent, token);
    expect((await step('startTrial')).body.code).toBe('conflict');
    expect((await step('getStarted', { businessName: 'New Shop' })).body.code).toBe('conflict');

    const chosen = await step('choosePlan', { plan: 'Pro', paymentFrequency: 'Annual' });
    expect(chosen.body.account.data.subscription).toMatchObject({ plan: 'Pro', cost: 20, paymentFrequency: 'Annual', status: 'inactive' });
    const before = Date.now();
    const { body: started } = await step('startTrial');
    const { startDate, trialEndsAt, billingDate } = started.account.data.subscription;
    expect(trialEndsAt - startDate).toBe(TRIAL_DAYS * DAY);
    expect(startDate).toBeGreaterThanOrEqual(before - 60_000);
    expect(billingDate).toBe(new Date(trialEndsAt).getUTCDate());

    const { body } = await step('getStarted', {
      businessName: 'New Shop, Main Street',
      services: [{ name: 'Google', url: 'https://g.page/r/newshop/review' }],
      inviteToReview: 'everyone',
    });
    expect(body).toMatchObject({
      account: { data: { subscription: { status: 'active', phase: 'none', trialEndsAt, billingDate } } },
      property: { gs1sk: accountId, data: { displayName: 'New Shop, Main Street' } },
      form: { data: { inviteToReview: 'everyone' } },
    });
    expect((await step('getStarted', { businessName: 'Another' })).body.code).toBe('conflict');
    expect((await step('choosePlan', { plan: 'Pro', paymentFrequency: 'Monthly' })).body.code).toBe('conflict');
  });

  it('never make a trial longer, however often they are done', async () => {
    const { token } = await newBusiness();
    const step = (action: string, sent: object = {}) => app.call('account', action, sent, token);
    await step('choosePlan', { plan: 'Pro', paymentFrequency: 'Annual' });
    const first = await step('startTrial');
    app.advance(30 * 60_000);
    await step('choosePlan', { plan: 'Pro', paymentFrequency: 'Monthly' });
    const second = await step('startTrial');
    const [one, other] = [first, second].map(({ body }) => body.account.data.subscription.trialEndsAt);
    expect(other).toBe(one);
  });

  it('done twice at once make one property', async () => {
    const { token, accountId } = await newBusiness();
    const step = (action: string, sent: object = {}) => app.call('account', action, sent, token);
    await step('choosePlan', { plan: 'Pro', paymentFrequency: 'Monthly' });
    await step('startTrial');
    const answers = await Promise.all(Array.from({ length: 5 }, () => step('getStarted', { businessName: 'Once' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await app.stored('select id from property where account_id = $1', [accountId])).toHaveLength(1);
  });

  it.each([{ plan: 'Beta' }, { plan: 'Pro', cost: 0 }, { plan: 'Pro', status: 'active' }])(
    'take nothing that is not offered: %j',
    async (sent) => {
      const token = await app.signIn();
      expect((await app.call('account', 'choosePlan', { paymentFrequency: 'Annual', ...sent }, token)).status).toBe(400);
    },
  );
});

describe('mails on demand', () => {
  it('go to the caller’s own address only', async () => {
    const token = await app.signIn();
    const welcome = (emailAddress: string) =>
      app.call('account', 'notify', { payload: account, ignore: { emailAddress }, debug: true }, token);
    const refused = await welcome('victim@example.com');
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'ignore.emailAddress']);
    expect((await welcome(dana.data.emailAddress)).body).toEqual({ status: 'ok' });
    await app.mailTo(dana.data.emailAddress, 'Welcome to Afterword');
  });

  it('lead to a page of this site only', async () => {
    const token = await app.signIn();
    const ready = (buttonURL: string) =>
      app.call('form', 'notify', { payload: formOf(), ignore: { emailAddress: dana.data.emailAddress, buttonURL } }, token);
    for (const url of ['https://evil.test/', '//evil.test', '/properties/../../evil/configuration', 'javascript:alert(1)'])
      expect((await ready(url)).status).toBe(400);
    expect((await ready('/properties/pier-4/configuration')).body).toEqual({ status: 'ok' });
    await app.mailTo(dana.data.emailAddress, 'http://localhost:8080/properties/pier-4/configuration');
  });
});

describe('deleting an account', () => {
  it('needs its name, closes everything at once, and is final after a week', async () => {
    const { token, accountId, email } = await newBusiness();
    const gone = (displayName: string) => app.call('account', 'delete', { accountId, displayName }, token);
    expect((await gone('Something else')).body.errors[0].path).toBe('displayName');
    expect((await gone('New Shop')).body).toEqual({ status: 'ok' });
    expect((await app.call('account', 'get', { accountId }, token)).status).toBe(401);

    await purge();
    expect(await app.stored('select id from account where id = $1', [accountId])).toHaveLength(1);
    app.advance(7 * DAY + 1);
    await purge();
    expect(await app.stored('select id from account where id = $1', [accountId])).toHaveLength(0);
    expect(await app.stored('select id from "user" where email_address = $1', [email])).toHaveLength(0);
    expect(await app.stored('select id from event where account_id = $1', [accountId])).toHaveLength(0);
  });

  it('deletes what visitors said in portions, so that no account is too big to be deleted', async () => {
    const { accountId, token } = await newBusiness();
    await app.call('account', 'choosePlan', { plan: 'Pro', paymentFrequency: 'Monthly' }, token);
    await app.call('account', 'startTrial', {}, token);
    const { body } = await app.call('account', 'getStarted', { businessName: 'New Shop', services: [], inviteToReview: 'good' }, token);
    await app.stored(
      `insert into feedback (account_id, id, property_id, form_id, form_version, key_hash, created, rating, urgent, kind, source, responses)
       select $1, 'EXPERIENCE_20260101_' || lpad(n::text, 13, '0') || '_aaaaa', $2, $3, 1, sha256(n::text::bytea), now(), 5, false, 'regular', 'none', '[]'
         from generate_series(1, 12000) n`,
      [accountId, body.property.id, body.form.id],
    );
    // As long as any of it is left, the account's own row cannot take it along.
    await app.stored(`create table deleted_at_once (many bigint);
      create function note_deleted() returns trigger language plpgsql security definer as $$ begin
        insert into deleted_at_once select count(*) from gone; return null; end $$;
      create trigger note_deleted after delete on feedback referencing old table as gone for each statement execute function note_deleted()`);
    await app.call('account', 'delete', { accountId, displayName: 'New Shop' }, token);
    app.advance(7 * DAY + 1);
    await purge();
    expect(await app.stored('select id from account where id = $1', [accountId])).toHaveLength(0);
    const portions = await app.stored<{ many: string }>('select many from deleted_at_once where many > 0');
    expect(portions.map(({ many }) => Number(many)).toSorted((a, b) => a - b)).toEqual([2_000, 5_000, 5_000]);
  });

  it('ends with its people gone from the user pool, whose addresses are free again', async () => {
    const { token, accountId, email } = await newBusiness();
    const pooled = () => app.stored('select sub from identity_user where email = $1', [email]);
    await app.call('account', 'delete', { accountId, displayName: 'New Shop' }, token);
    app.advance(7 * DAY + 1);
    expect(await pooled()).toHaveLength(1);
    await purge();
    expect(await pooled()).toHaveLength(0);
    await expect(app.signIn(email)).rejects.toThrow('NotAuthorizedException');
    expect((await signUp(email)).success).toBe(true);
    expect(await pooled()).toHaveLength(1);
  });

  it('closes its forms', async () => {
    await app.stored('update account set deleted = now() where id = $1', [account.id]);
    const { status, body } = await app.call('feedback', 'save', submission({ rating: 5 }));
    expect([status, body.code]).toEqual([410, 'form-closed']);
    expect((await app.app.http.inject(`/feedback/${pier.data.formId}`)).statusCode).toBe(410);
    await app.stored('update account set deleted = null where id = $1', [account.id]);
  });
});
