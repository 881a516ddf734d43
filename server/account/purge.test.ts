import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { subOf } from '#contract/core/ids.ts';
import type { Form } from '#contract/form/form.ts';
import { dana } from '#fixtures/business.ts';
import { freePort } from '../../scripts/free-port.ts';
import { openTestApp, SAMPLE_PASSWORD, type TestApp } from '../../test/support/app.ts';
import { setUpApp, signInAsOperator } from '../../test/support/operator.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { openPushService, type TestPushService } from '../../test/support/push-service.ts';
import { newKey, responsesTo } from '../../test/support/submission.ts';

/* Searches the whole database for remains of a deleted business that used every feature. */

const DAY = 86_400_000;
const OLD_EMAIL = 'quilla.vexley@bramble-inn.test';
const EMAIL = 'quilla.brandt@bramble-inn.test';
const TEAMMATE_EMAIL = 'torvald.esk@bramble-inn.test';
const LEFT_EMAIL = 'odalys.prew@bramble-inn.test';
const INVITED_EMAIL = 'ingram.vole@bramble-inn.test';
const UNCONFIRMED_EMAIL = 'jorunn.wanted@bramble-inn.test';
const INVITED_OWNER_EMAIL = 'isolde.crake@fennel-house.test';
const VISITOR_EMAIL = 'visitor.mape@elsewhere.test';
const NAMES = ['Quilla Vexley', 'Torvald Esk', 'Ingram Vole', 'Bramble Inn', 'Bramble Terrace', 'Wim Mape', 'Undercooked turnip'];

/** Tables that keep ids of a deleted account and its people, or the name that an operator gave it, with the reason. */
const RETAINED: Readonly<Record<string, string>> = {
  'public.event': 'The audit log keeps what operators did to whom, and can’t be changed.',
  'public.billing_reference': 'Later events from the payment provider are matched to the account’s payments.',
  'public.billing_event': 'Payments are traced by the provider’s ids for 90 days.',
};

let app: TestApp;
let push: TestPushService;
let receiver: http.Server;
beforeAll(async () => {
  push = await openPushService();
  receiver = http
    .createServer((request, answer) => void request.resume().on('end', () => answer.writeHead(200).end()))
    .listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const port = await freePort();
  const settings = { OUTBOUND_ALLOW_PRIVATE: 'true', OPERATOR_EMAILS: dana.data.emailAddress, BILLING: 'sandbox', PORT: String(port) };
  app = await openTestApp({ settings });
  await app.app.http.listen({ host: '127.0.0.1', port });
});
afterAll(async () => {
  await app.stop();
  await push.stop();
  receiver.close();
});

/** Calls an operation and expects success. */
async function ask(operation: string, sent: object = {}, token?: string) {
  const [service = '', action = ''] = operation.split('.');
  const { status, body } = await app.call(service, action, sent, token);
  expect([operation, status, body.errors ?? body.detail]).toEqual([operation, 200, undefined]);
  return body;
}

const codeTo = async (email: string, saying: RegExp = /\b\d{6}\b/): Promise<string> =>
  /\b(\d{6})\b/.exec(await app.mailTo(email, saying))?.[1] ?? '';

async function signUp(): Promise<string> {
  const data = { displayName: 'Quilla Vexley', emailAddress: OLD_EMAIL, companyName: 'Bramble Inn' };
  await ask('user.create', { password: SAMPLE_PASSWORD, payload: { data } });
  await app.pool('ConfirmSignUp', { Username: OLD_EMAIL, ConfirmationCode: await codeTo(OLD_EMAIL) });
  const token = await app.signIn(OLD_EMAIL);
  // A second sign-up with the same address mails its owner.
  await ask('user.create', { password: SAMPLE_PASSWORD, payload: { data: { ...data, companyName: 'Twice' } } });
  await app.mailTo(OLD_EMAIL, /already/);
  await ask('account.choosePlan', { plan: 'Pro', paymentFrequency: 'Monthly' }, token);
  await ask('account.startTrial', {}, token);
  return token;
}

/** Invites a person, accepts for them, and returns their token. */
async function invite(token: string, displayName: string, emailAddress: string): Promise<string> {
  await ask('user.generate', { payload: { data: { displayName, emailAddress, level: 'user' } } }, token);
  const [, key] = /#invite=([\w-]{22})/.exec(await app.mailTo(emailAddress, '#invite=')) ?? [];
  await ask('user.accept', { key, password: SAMPLE_PASSWORD });
  return app.signIn(emailAddress);
}

/** Changes the address to EMAIL, and requests a third one that is never confirmed. */
async function changeAddress(AccessToken: string): Promise<void> {
  const request = (Value: string) => app.pool('UpdateUserAttributes', { AccessToken, UserAttributes: [{ Name: 'email', Value }] });
  expect((await request(EMAIL)).status).toBe(200);
  expect((await app.pool('VerifyUserAttribute', { AccessToken, AttributeName: 'email', Code: await codeTo(EMAIL) })).status).toBe(200);
  await app.mailTo(OLD_EMAIL, EMAIL.slice(0, 1));
  expect((await request(UNCONFIRMED_EMAIL)).status).toBe(200);
  await codeTo(UNCONFIRMED_EMAIL);
}

/** Uses every feature as a team does in its first days. */
async function useEverything(token: string) {
  const { account, property, form } = await ask(
    'account.getStarted',
    { businessName: 'Bramble Terrace', timeZone: 'Europe/Lisbon' },
    token,
  );
  const { transactionId } = await ask('account.checkout', { plan: 'Pro', paymentFrequency: 'Monthly' }, token);
  await app.app.sandbox?.actions.pay(transactionId);
  await app.app.sandbox?.settled();
  const mate = await invite(token, 'Torvald Esk', TEAMMATE_EMAIL);
  await invite(token, 'Odalys Prew', LEFT_EMAIL);
  await ask('user.generate', { payload: { data: { displayName: 'Ingram Vole', emailAddress: INVITED_EMAIL, level: 'user' } } }, token);
  const { users } = await ask('user.list', { accountId: account.id }, token);
  const idOf = (email: string): string => users.find((user: { data: { emailAddress: string } }) => user.data.emailAddress === email).id;
  const [owner, teammate] = [idOf(OLD_EMAIL), idOf(TEAMMATE_EMAIL)];
  const notifications = { complaints: [owner, teammate], weekly: [owner], daily: [teammate] };
  const alerts = { escalation: { after: 15, to: [owner] } };
  await ask('property.save', { payload: { id: property.id, data: { notifications, alerts } } }, token);
  for (const each of [token, mate]) {
    const data = { ...push.browser().subscription, label: 'Phone', showsWords: true };
    await ask('device.save', { payload: { data } }, each);
  }
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/bramble`;
  const { webhook } = await ask('webhook.save', { payload: { data: { url, events: ['feedback.created'] } } }, token);
  await ask('webhook.test', { webhookId: webhook.id }, token);
  const feedbackId = await submitComplaint(form);
  await ask('feedback.modify', { changes: [{ feedbackId, status: 'open', assignee: teammate }] }, token);
  const { tag } = await ask('tag.save', { payload: { data: { displayName: 'Bramble Terrace tag' } } }, token);
  await ask('feedback.modify', { changes: [{ feedbackId, addTags: [tag.id] }] }, mate);
  await ask('comment.save', { idempotencyKey: newKey(), payload: { data: { feedbackId, text: `@${teammate} look` } } }, token);
  const shows = { feed: 'account', filters: { range: 'week', q: 'Undercooked turnip' } };
  await ask('savedView.save', { payload: { data: { displayName: 'Bramble Inn view', isShared: true, shows } } }, mate);
  const message = { kind: 'bug', text: 'Bramble Inn sees nothing', url: '/', userAgent: 'Mozilla/5.0', mayReply: true };
  await ask('message.save', { idempotencyKey: newKey(), payload: { data: message } }, mate);
  await ask('report.send', { propertyId: property.id, kind: 'weekly' }, token);
  const { file } = await ask('export.create', { accountId: account.id, format: 'csv', zone: 'Europe/Lisbon' }, token);
  await vi.waitFor(async () => expect((await ask('export.get', { exportId: file.id }, token)).file.data.status).toBe('done'), PATIENT);
  await ask('export.archive', { accountId: account.id, zone: 'Europe/Lisbon' }, token);
  await app.app.http.inject({ url: `/feedback/${form.id}` });
  await ask('user.delete', { userId: idOf(LEFT_EMAIL) }, token);
  return { account, property, form, feedbackId, owner, people: users.map(({ id }: { id: string }) => id) as string[], webhook, tag, file };
}

async function submitComplaint(form: Form): Promise<string> {
  const contact = { answer: 'Yes', name: 'Wim Mape', email: VISITOR_EMAIL } as const;
  const data = { formId: form.id, responses: responsesTo(form, { rating: 1, text: 'Undercooked turnip', contact }) };
  return (await ask('feedback.save', { idempotencyKey: newKey(), payload: { data } })).feedback.id;
}

/** Waits until all background work is done. */
const untilIdle = () =>
  vi.waitFor(async () => {
    const waiting = await app.stored(`
      select name from pgboss.job where state in ('created', 'active') and start_after <= now() and name not like '\\_\\_%'
      union all select name from event where not relayed
      union all select 'delivery' from delivery where status = 'queued'
      union all select 'webhook' from webhook_delivery where status = 'waiting'`);
    expect(waiting).toEqual([]);
  }, PATIENT);

/** Returns the words found in each table of the database, also in binary columns. */
async function findRemains(words: readonly string[]): Promise<Record<string, string[]>> {
  const tables = await app.stored<{ name: string }>(`
    select quote_ident(nspname) || '.' || quote_ident(relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where relkind in ('r', 'm') and nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`);
  const matches: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await app.stored<{ word: string }>(
      `select distinct word from ${name} as t, unnest($1::text[]) as word
        where strpos(lower(t::text), lower(word)) > 0 or strpos(t::text, encode(convert_to(word, 'UTF8'), 'hex')) > 0 order by 1`,
      [words],
    );
    if (rows.length > 0) matches[name] = rows.map(({ word }) => word);
  }
  return matches;
}

async function purge(): Promise<void> {
  const { platform } = app.app;
  const doneJobs = async () => (await app.stored(`select from pgboss.job where name = 'account.purge' and state = 'completed'`)).length;
  const before = await doneJobs();
  await platform.database.transaction({}, (db) => platform.jobs.queue(db, 'account.purge', {}));
  await vi.waitFor(async () => expect(await doneJobs()).toBe(before + 1), PATIENT);
}

describe('account.purge', () => {
  it('deletes all data of an account, its people and their visitors', async () => {
    const token = await signUp();
    const { account, property, form, feedbackId, owner, people, webhook, tag, file } = await useEverything(token);
    await changeAddress(token);
    await app.pool('ForgotPassword', { Username: EMAIL });
    await codeTo(EMAIL, /password/);
    await app.pool('ForgotPassword', { Username: LEFT_EMAIL });
    await app.pool('InitiateAuth', { AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME: EMAIL, PASSWORD: 'not the password' } });
    await setUpApp(app, token);
    await app.mailTo(EMAIL, /two-step/i);
    const operator = await signInAsOperator(app);
    await ask('account.list', { search: '' }, operator);
    await ask('user.requestSecondFactorReset', { accountId: account.id, userId: owner, reason: 'Lost the phone' }, operator);
    // Another business, whose admin an operator invited but who never joined.
    const data = { companyName: 'Fennel House', displayName: 'Isolde Crake', emailAddress: INVITED_OWNER_EMAIL };
    await ask('account.invite', data, operator);
    const [invited] = await app.stored<{ id: string }>(`select id from account where display_name = 'Fennel House'`);
    await untilIdle();

    const subs = people.map((id) => subOf(id));
    const ids = [account.id, property.id, form.id, feedbackId, webhook.id, tag.id, file.id, ...subs];
    const emails = [OLD_EMAIL, EMAIL, TEAMMATE_EMAIL, LEFT_EMAIL, INVITED_EMAIL, UNCONFIRMED_EMAIL, VISITOR_EMAIL, INVITED_OWNER_EMAIL];
    const words = [...ids, ...emails, ...NAMES, 'Fennel House', 'Isolde Crake'];
    const before = await findRemains(words);
    expect(Object.keys(before).length).toBeGreaterThan(25);
    expect(words.filter((word) => !Object.values(before).flat().includes(word))).toEqual([]);

    await ask('account.delete', { accountId: account.id, displayName: 'Bramble Inn' }, token);
    await ask('account.masterDelete', { accountId: invited?.id, reason: 'Asked by phone' }, operator);
    await app.mailTo(EMAIL, /deleted/);
    await untilIdle();
    app.advance(7 * DAY + 1);
    await purge();
    const after = Object.entries(await findRemains(words)).map(([table, matches]) => [
      table,
      table in RETAINED ? matches.filter((word) => word !== account.id && !subs.includes(word) && word !== 'Fennel House') : matches,
    ]);
    expect(Object.fromEntries(after)).toEqual(Object.fromEntries(Object.keys(RETAINED).map((table) => [table, []])));
  });
});
