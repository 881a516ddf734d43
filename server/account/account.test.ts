import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TRIAL_DAYS } from '#contract/billing/billing.ts';
import { formPath } from '#contract/form/form-page.ts';
import { account, dana, oldTown, pier, sam } from '#fixtures/business.ts';
import { openTestApp, SAMPLE_PASSWORD, type TestApp } from '../../test/support/app.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { recordBatchSizes } from '../../test/support/postgres/batch-sizes.ts';
import { readsOf } from '../../test/support/postgres/reads.ts';
import { formOf, submission } from '../../test/support/submission.ts';
import { purgeQuarters } from '../feedback/counts-store.ts';
import type { Position } from '../platform/database/batches.ts';
import { inAccount } from '../platform/tenancy/access.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ settings: { BILLING: 'sandbox' } });
});
afterAll(() => app.stop());

const DAY = 86_400_000;

const signUp = async (emailAddress: string) => {
  const data = { displayName: 'Ann Lee', emailAddress, companyName: 'New Shop' };
  return (await app.call('user', 'create', { password: SAMPLE_PASSWORD, payload: { data } })).body;
};

/** Signs up a business and confirms its address. */
async function newBusiness(): Promise<{ email: string; accountId: string; token: string }> {
  const email = `${randomUUID().slice(0, 8)}@newshop.test`;
  const { data } = await signUp(email);
  const [, ConfirmationCode] = /\b(\d{6})\b/.exec(await app.mailTo(email, /\d{6}/)) ?? [];
  await app.pool('ConfirmSignUp', { Username: email, ConfirmationCode });
  return { email, accountId: data.account.id, token: await app.signIn(email) };
}

/** Runs the job that deletes accounts permanently. */
async function purge(): Promise<void> {
  const { platform } = app.app;
  const doneJobs = async () => (await app.stored(`select id from pgboss.job where name = 'account.purge' and state = 'completed'`)).length;
  const before = await doneJobs();
  await platform.database.transaction({}, (db) => platform.jobs.queue(db, 'account.purge', {}));
  await vi.waitFor(async () => expect(await doneJobs()).toBe(before + 1), PATIENT);
}

interface PurgedAccount {
  readonly accountId: string;
  readonly propertyId: string;
  readonly formId: string;
}

const HOURS = `select now() - n * interval '1 hour' as at, n from generate_series(1, 6000) n`;
/** Tables where an account may have many rows, with a statement that inserts more than one batch deletes. */
const LARGE_TABLES: Readonly<Record<string, (purged: PurgedAccount) => string>> = {
  feedback: ({ accountId, propertyId, formId }) => `
    insert into feedback (account_id, id, property_id, form_id, form_version, key_hash, created, rating, urgent, kind, source, responses)
    select '${accountId}', 'EXPERIENCE_20260101_' || lpad(n::text, 13, '0') || '_aaaaa', '${propertyId}', '${formId}', 1,
           sha256(n::text::bytea), at, 5, false, 'regular', 'none', '[]' from (${HOURS}) hours`,
  feedback_tally: ({ accountId, propertyId }) => `
    insert into feedback_tally (account_id, place, quarter, lane, one, two, three, four, five, urgent)
    select '${accountId}', '${propertyId}', at, 0, 0, 0, 0, 0, 1, 0 from (${HOURS}) hours`,
  feedback_day: ({ accountId, propertyId }) => `
    insert into feedback_day (account_id, place, day, lane, one, two, three, four, five, reviews)
    select '${accountId}', '${propertyId}', current_date - n, 0, 0, 0, 0, 0, 1, 0 from (${HOURS}) hours`,
  view: ({ accountId, propertyId, formId }) => `
    insert into view (account_id, property_id, form_id, day, count)
    select '${accountId}', '${propertyId}', '${formId}', current_date - n, 1 from (${HOURS}) hours`,
  view_quarter: ({ accountId, propertyId, formId }) => `
    insert into view_quarter (account_id, property_id, form_id, quarter, count)
    select '${accountId}', '${propertyId}', '${formId}', at, 1 from (${HOURS}) hours`,
  delivery: ({ accountId }) => `
    insert into delivery (account_id, id, channel, "to", subject, reason, status, attempts, created)
    select '${accountId}', 'DELIVERY_' || n, 'email', 'a@many.test', '', 'user.invited', 'sent', 1, at from (${HOURS}) hours`,
  notification: ({ accountId }) => `
    insert into notification (account_id, id, user_id, kind, cause, created)
    select '${accountId}', 'NOTICE_' || n, (select id from "user" where account_id = '${accountId}'), 'urgent', n, at from (${HOURS}) hours`,
  feedback_request: ({ accountId, propertyId }) => `
    insert into feedback_request (account_id, id, property_id, email_hash, author, created, visited, status)
    select '${accountId}', n, '${propertyId}', n::text::bytea, '', at, at, 'sent' from (${HOURS}) hours`,
  webhook_delivery: ({ accountId }) => `
    insert into webhook_delivery (account_id, id, webhook_id, cause, type, status, due, created)
    select '${accountId}', n, 'WEBHOOK_Many', n, 'feedback.created', 'delivered', at, at from (${HOURS}) hours`,
};
/** Tables whose rows are deleted with their feedback. */
const WITH_FEEDBACK = [
  ...['comment', 'feedback_mark', 'alert', 'alert_link', 'alert_escalation'],
  ...['conversation', 'conversation_key', 'conversation_message', 'topic_match'],
];
/** Tables with few rows: created by people, limited by a plan, or one row per property and week. */
const SMALL_TABLES = [
  ...[
    'subscription',
    'billing_reference',
    'billing_notice',
    'billing_event',
    'user',
    'property',
    'form',
    'form_version',
    'tool',
    'kiosk',
    'tag',
  ],
  ...[
    'feedback_reader',
    'message',
    'api_key',
    'topic',
    'suppression',
    'saved_reply',
    'saved_view',
    'report',
    'alert_recipient',
    'export',
    'push_device',
    'webhook',
    'brand',
  ],
];

describe('the sign-up steps', () => {
  it('create a property with its form, each step once', async () => {
    const { token, accountId, email } = await newBusiness();
    const step = (action: string, sent: object = {}) => app.call('account', action, sent, token);
    expect((await step('startTrial')).body.code).toBe('conflict');
    expect((await step('getStarted', { businessName: 'New Shop' })).body.code).toBe('conflict');

    const choice = await step('choosePlan', { plan: 'Pro', paymentFrequency: 'Annual' });
    expect(choice.body.account.data.subscription).toMatchObject({ plan: 'Pro', cost: 20, paymentFrequency: 'Annual', status: 'inactive' });
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
      timeZone: 'Europe/Lisbon',
    });
    expect(body).toMatchObject({
      account: { data: { subscription: { status: 'active', phase: 'trial', trialEndsAt, billingDate } } },
      property: { gs1sk: accountId, data: { displayName: 'New Shop, Main Street', timeZone: 'Europe/Lisbon' } },
      form: { data: { inviteToReview: 'everyone' } },
    });
    expect((await step('getStarted', { businessName: 'Another' })).body.code).toBe('conflict');
    expect((await step('choosePlan', { plan: 'Pro', paymentFrequency: 'Monthly' })).body.code).toBe('conflict');

    // The welcome mail is sent automatically; requesting it sends no second one.
    expect(await app.mailTo(email, 'Welcome to Afterword')).toContain(formPath(body.form.id));
    await step('notify', { payload: body.account, ignore: { emailAddress: email }, debug: true });
    const isRelayed = 'select relayed from event where account_id = $1 and name = $2';
    await expect.poll(() => app.stored(isRelayed, [accountId, 'account.welcome-requested'])).toEqual([{ relayed: true }]);
    expect(
      await app.stored('select from delivery where account_id = $1 and subject = $2', [accountId, 'Welcome to Afterword']),
    ).toHaveLength(1);
    expect(app.log.some((line) => line.includes('"subject":"Welcome to Afterword"') && line.includes(accountId))).toBe(true);
  });

  it('never extend a trial when repeated', async () => {
    const { token } = await newBusiness();
    const step = (action: string, sent: object = {}) => app.call('account', action, sent, token);
    await step('choosePlan', { plan: 'Pro', paymentFrequency: 'Annual' });
    const first = await step('startTrial');
    app.advance(30 * 60_000);
    await step('choosePlan', { plan: 'Pro', paymentFrequency: 'Monthly' });
    const second = await step('startTrial');
    const [firstEnd, secondEnd] = [first, second].map(({ body }) => body.account.data.subscription.trialEndsAt);
    expect(secondEnd).toBe(firstEnd);
  });

  it('create one property when run concurrently', async () => {
    const { token, accountId } = await newBusiness();
    const step = (action: string, sent: object = {}) => app.call('account', action, sent, token);
    await step('choosePlan', { plan: 'Pro', paymentFrequency: 'Monthly' });
    await step('startTrial');
    const answers = await Promise.all(Array.from({ length: 5 }, () => step('getStarted', { businessName: 'Once' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await app.stored('select id from property where account_id = $1', [accountId])).toHaveLength(1);
  });

  it.each([{ plan: 'Beta' }, { plan: 'Pro', cost: 0 }, { plan: 'Pro', status: 'active' }])(
    'reject plans that aren’t offered: %j',
    async (sent) => {
      const token = await app.signIn();
      expect((await app.call('account', 'choosePlan', { paymentFrequency: 'Annual', ...sent }, token)).status).toBe(400);
    },
  );
});

describe('mails on demand', () => {
  it('are sent only to the caller’s own address', async () => {
    const token = await app.signIn();
    const welcome = (emailAddress: string) =>
      app.call('account', 'notify', { payload: account, ignore: { emailAddress }, debug: true }, token);
    const refused = await welcome('victim@example.com');
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'ignore.emailAddress']);
    expect((await welcome(dana.data.emailAddress)).body).toEqual({ status: 'ok' });
    await app.mailTo(dana.data.emailAddress, 'Welcome to Afterword');
  });

  it('link only to pages of this site', async () => {
    const token = await app.signIn();
    const ready = (buttonURL: string) =>
      app.call('form', 'notify', { payload: formOf(), ignore: { emailAddress: dana.data.emailAddress, buttonURL }, debug: true }, token);
    for (const url of ['https://evil.test/', '//evil.test', '/properties/../../evil/configuration', 'javascript:alert(1)'])
      expect((await ready(url)).status).toBe(400);
    expect((await ready('/properties/pier-4/configuration')).body).toEqual({ status: 'ok' });
    await app.mailTo(dana.data.emailAddress, 'http://localhost:8080/properties/pier-4/configuration');
    expect(app.log.some((line) => line.includes('"subject":"Your new feedback form is ready"'))).toBe(true);
  });

  it('contain a form’s link, at most five times an hour', async () => {
    const token = await app.signIn(sam.data.emailAddress);
    const link = (formId: string) => app.call('form', 'sendLink', { formId }, token);
    expect((await link('FORM_nobody')).body).toEqual({ status: 'not found' });
    for (let sent = 0; sent < 5; sent += 1) expect((await link(formOf(oldTown.data.formId).id)).body).toEqual({ status: 'ok' });
    expect((await link(formOf(oldTown.data.formId).id)).body.code).toBe('too-many');
    const mail = await app.mailTo(sam.data.emailAddress, 'The link to your form');
    expect(mail).toContain('http://localhost:8080/feedback/FORM_OldTwn?test=1');
    expect(mail).toMatch(/To share with visitors: http:\/\/localhost:8080\/feedback\/FORM_OldTwn$/m);
  });
});

describe('deleting an account', () => {
  it('needs its name, blocks access at once, and is permanent after a week', async () => {
    const { token, accountId, email } = await newBusiness();
    const remove = (displayName: string) => app.call('account', 'delete', { accountId, displayName }, token);
    expect((await remove('Something else')).body.errors[0].path).toBe('displayName');
    expect((await remove('New Shop')).body).toEqual({ status: 'ok' });
    expect((await app.call('account', 'get', { accountId }, token)).body.code).toBe('account-deleted');

    await purge();
    expect(await app.stored('select id from account where id = $1', [accountId])).toHaveLength(1);
    app.advance(7 * DAY + 1);
    await purge();
    expect(await app.stored('select id from account where id = $1', [accountId])).toHaveLength(0);
    expect(await app.stored('select id from "user" where email_address = $1', [email])).toHaveLength(0);
    expect(await app.stored('select id from event where account_id = $1', [accountId])).toHaveLength(0);
  });

  it('deletes large tables in batches', async () => {
    const { accountId, token } = await newBusiness();
    await app.call('account', 'choosePlan', { plan: 'Pro', paymentFrequency: 'Monthly' }, token);
    await app.call('account', 'startTrial', {}, token);
    const unknown = { businessName: 'New Shop', services: [], inviteToReview: 'good', timeZone: 'Europe/Nowhere' };
    const { property, form } = (await app.call('account', 'getStarted', unknown, token)).body;
    await app.stored(`insert into webhook (account_id, id, url, description, events, format, is_full, is_on, secret, created, created_by)
      values ('${accountId}', 'WEBHOOK_Many', 'https://many.test', '', '{}', 'standard', false, false, '', now(), 'nobody')`);
    const tables = Object.keys(LARGE_TABLES);
    // The worst case for the planner: statistics from before the inserts.
    await app.stored(`analyze ${tables.join(', ')}`);
    for (const insert of Object.values(LARGE_TABLES)) await app.stored(insert({ accountId, propertyId: property.id, formId: form.id }));
    // Counts the deletes of each batch, which must be done before the account's own row is deleted.
    const counters = [];
    for (const table of tables) counters.push(await recordBatchSizes(app.stored, table));
    await app.call('account', 'delete', { accountId, displayName: 'New Shop' }, token);
    app.advance(7 * DAY + 1);
    await purge();
    expect(await app.stored('select id from account where id = $1', [accountId])).toHaveLength(0);
    const full = await Promise.all(counters.map(async (batchSizes) => (await batchSizes()).filter((size) => size >= 1_000)));
    expect(Object.fromEntries(tables.map((table, place) => [table, full[place]]))).toEqual(
      Object.fromEntries(tables.map((table) => [table, Array(6).fill(1_000)])),
    );
  });

  it('deletes events that are being relayed', async () => {
    const { accountId, token } = await newBusiness();
    await app.call('account', 'delete', { accountId, displayName: 'New Shop' }, token);
    app.advance(7 * DAY + 1);
    const relay = await app.connect();
    await relay.query('begin');
    await relay.query('update event set relayed = true where account_id = $1', [accountId]);
    const purged = purge();
    await expect.poll(() => app.stored('select from pg_locks where not granted')).not.toEqual([]);
    await relay.query('commit');
    await relay.end();
    await purged;
    expect(await app.stored('select name from event where account_id = $1', [accountId])).toEqual([]);
  });

  it('reads as little for a late batch as for the first', async () => {
    const { accountId } = await newBusiness();
    const large = { accountId, propertyId: '', formId: '' };
    await app.stored(LARGE_TABLES['feedback_tally']?.(large).replace('6000', '60000') ?? '');
    await app.stored('analyze feedback_tally');
    const costs: number[] = [];
    for (let last: Position | undefined, isMore = true; isMore; isMore = last !== undefined)
      last = await inAccount(app.app.platform, { accountId, actor: dana.id }, async (scope) => {
        const pagesRead = () => readsOf(scope.db.$client, 'feedback_tally', 'blocks_fetched');
        const before = await pagesRead();
        const reached = await purgeQuarters(scope, last);
        costs.push((await pagesRead()) - before);
        return reached;
      });
    const [first = 0] = costs;
    expect(first).toBeGreaterThan(0);
    expect(costs.filter((pages) => pages > 1.1 * first)).toEqual([]);
    expect(costs).toHaveLength(61);
  });

  it('covers every table with an account id', async () => {
    const rows = await app.stored<{ name: string }>(`
      select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'account_id'`);
    const covered = new Set([...Object.keys(LARGE_TABLES), ...WITH_FEEDBACK, ...SMALL_TABLES, 'event', 'export_part']);
    expect(rows.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual([]);
  });

  it('continues with the next account if one fails', async () => {
    const [broken, intact] = [await newBusiness(), await newBusiness()];
    await app.stored(`create function stays() returns trigger language plpgsql as $$ begin raise 'it stays'; end $$;
      create trigger stays before delete on account for each row when (old.id = '${broken.accountId}') execute function stays()`);
    for (const { accountId, token } of [broken, intact]) await app.call('account', 'delete', { accountId, displayName: 'New Shop' }, token);
    app.advance(7 * DAY + 1);
    const { platform } = app.app;
    await platform.database.transaction({}, (db) => platform.jobs.queue(db, 'account.purge', {}));
    const left = () => app.stored('select id from account where id in ($1, $2)', [broken.accountId, intact.accountId]);
    await expect.poll(left).toEqual([{ id: broken.accountId }]);
    const failed = () => app.stored(`delete from pgboss.job where name = 'account.purge' and state = 'retry' returning id`);
    await expect.poll(async () => (await failed()).length).toBe(1);
    await app.stored('drop trigger stays on account');
  });

  it('deletes its people from the user pool and frees their addresses', async () => {
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

describe('a deleted account', () => {
  async function deleteNewBusiness() {
    const business = await newBusiness();
    const { accountId, token } = business;
    expect((await app.call('account', 'delete', { accountId, displayName: 'New Shop' }, token)).status).toBe(200);
    return business;
  }

  it('shows people who sign in how long it can be restored, but not with a wrong password', async () => {
    const { email, accountId } = await deleteNewBusiness();
    const wrong = await app.pool('InitiateAuth', {
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: email, PASSWORD: 'wrong' },
    });
    expect(wrong.body).toEqual({ __type: 'NotAuthorizedException', message: 'Incorrect username or password.' });
    const token = await app.signIn(email);
    const refused = await app.call('account', 'get', { accountId }, token);
    expect([refused.status, refused.body.code]).toEqual([403, 'account-deleted']);
    const { body } = await app.call('account', 'deletion', {}, token);
    expect(body).toMatchObject({ status: 'ok', displayName: 'New Shop', mayRestore: true });
    expect(body.until - body.deletedAt).toBe(7 * DAY);
    const mail = await app.mailTo(email, 'Account: New Shop');
    expect(mail).toMatch(/Restore until: \w+,? \d+ \w+ \d{4}.* UTC/);
  });

  it('is restored by an admin within seven days', async () => {
    const { token, accountId } = await deleteNewBusiness();
    expect((await app.call('account', 'restore', {}, token)).body.account.id).toBe(accountId);
    expect((await app.call('account', 'get', { accountId }, token)).status).toBe(200);
    expect((await app.call('account', 'deletion', {}, token)).body).toEqual({ status: 'ok', displayName: 'New Shop', mayRestore: true });
    expect(await app.stored(`select 1 from event where account_id = $1 and name = 'account.restored'`, [accountId])).toHaveLength(1);
    await app.stored(`update account set deleted = now() - interval '7 days' - interval '1 second' where id = $1`, [accountId]);
    expect((await app.call('account', 'restore', {}, token)).status).toBe(404);
    await app.stored('update account set deleted = null where id = $1', [accountId]);
  });

  it('reopens its forms when it is restored', async () => {
    const { token, accountId } = await newBusiness();
    const call = (action: string, sent: object = {}) => app.call('account', action, sent, token);
    await call('choosePlan', { plan: 'Pro', paymentFrequency: 'Annual' });
    await call('startTrial');
    const { body } = await call('getStarted', { businessName: 'New Shop', services: [], inviteToReview: 'everyone' });
    const formPage = async () => (await app.app.http.inject(`/feedback/${body.form.id}`)).statusCode;
    expect(await formPage()).toBe(200);
    await call('delete', { accountId, displayName: 'New Shop' });
    await expect.poll(formPage).toBe(410);
    await call('restore');
    await expect.poll(formPage).toBe(200);
  });

  it('can’t be restored by a member, who sees its name', async () => {
    const { token, accountId } = await deleteNewBusiness();
    await app.stored(`update "user" set level = 'user' where account_id = $1`, [accountId]);
    expect((await app.call('account', 'restore', {}, token)).body.code).toBe('not-allowed');
    expect((await app.call('account', 'deletion', {}, token)).body).toMatchObject({ displayName: 'New Shop', mayRestore: false });
  });

  it('frees its address for a new sign-up, which deletes the person from it', async () => {
    const { email, accountId } = await deleteNewBusiness();
    await app.stored(`insert into saved_view (account_id, id, created_by, display_name, is_shared, shows, created)
      select account_id, 'VIEW_Private', id, 'Mine', false, '{}', now() from "user" where account_id = '${accountId}'`);
    const { data } = await signUp(email);
    const Username = data.user.id.slice('USER_'.length);
    const [, ConfirmationCode] = /\b(\d{6})\b/.exec(await app.mailTo(email, Username)) ?? [];
    expect((await app.pool('ConfirmSignUp', { Username, ConfirmationCode })).status).toBe(200);
    const token = await app.signIn(email);
    expect((await app.call('account', 'get', { accountId: data.account.id }, token)).status).toBe(200);
    expect((await app.call('account', 'get', { accountId }, token)).status).toBe(404);
    for (const table of ['"user"', 'saved_view'])
      expect(await app.stored(`select 1 from ${table} where account_id = $1`, [accountId])).toEqual([]);
  });
});
