import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DAY, HOUR, MINUTE } from '#contract/core/time.ts';
import { ACCOUNT_ID, airport, account as business, pier, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { addOtherAccount, CANARY, otherAccount } from '../../test/support/other-account.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { openTestSmtp, type ReceivedMail, type TestSmtp } from '../../test/support/smtp.ts';
import { formOf, submission } from '../../test/support/submission.ts';
import { openMails } from '../notification/mail/mails.ts';
import { applyRetention } from '../privacy/retention.ts';

const SITE = 'https://feedback.example.com';
/** A Sunday. Pier 4 has no zone of its own, so its clock is UTC. */
let now = Date.parse('2026-11-22T12:00:00Z');
let app: TestApp;
let smtp: TestSmtp;
let [admin, member] = ['', ''];
/** The mail server's response to a recipient. */
let refusal: { readonly code: number; readonly text: string } | undefined;

const signIn = async () => {
  [admin, member] = [await app.signIn(), await app.signIn(sam.data.emailAddress)];
};
beforeAll(async () => {
  smtp = await openTestSmtp({ refuse: () => refusal });
  app = await openTestApp({
    also: addOtherAccount,
    clock: () => now,
    settings: { SMTP_URL: smtp.url, PUBLIC_URL: SITE, BILLING: 'sandbox' },
  });
  await signIn();
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});

/** Moves the clock. Tokens live for an hour. */
const waitUntil = async (moment: string) => {
  now = Date.parse(moment);
  await signIn();
};
const call = (action: string, sent: object, token = admin) => app.call('feedbackRequest', action, sent, token);
const add = async (requests: object[], { property = pier, isDryRun }: { property?: typeof pier; isDryRun?: boolean } = {}) =>
  (await call('add', { propertyId: property.id, payload: { requests, isDryRun } })).body;
const list = async (query: object = {}) => (await call('list', { propertyId: pier.id, limit: 100, ...query })).body;
const statusOf = async (email: string) => (await list({ search: email })).requests[0]?.data.status;
const settings = (changes: object = {}) =>
  app.call(
    'property',
    'save',
    { payload: { id: pier.id, data: { requests: { delay: 1, hour: 10, reminder: 7, gap: 90, ...changes } } } },
    admin,
  );
/** Runs the job, and waits until all mails are at the mail server. */
const send = async () => {
  const { database, jobs } = app.app.platform;
  await database.transaction({}, (db) => jobs.queue(db, 'feedback-request.send', {}));
  const open = () => app.stored(`select name from pgboss.job where name in ('feedback-request.send', 'mail.send') and state < 'completed'`);
  await vi.waitFor(async () => expect(await open()).toEqual([]), PATIENT);
};
const mailsTo = (email: string): ReceivedMail[] => smtp.received.filter(({ to }) => to.includes(email));
const relayed = () =>
  vi.waitFor(async () => expect(await app.stored('select id, name, account_id, data from event where not relayed')).toEqual([]), PATIENT);
const headerOf = ({ mail }: ReceivedMail, name: string) => mail.headers.find(({ key }) => key === name)?.value;
const stopPathIn = (mail: ReceivedMail | undefined): string =>
  /<(.+)>/.exec((mail && headerOf(mail, 'list-unsubscribe')) ?? '')?.[1]?.slice(SITE.length) ?? '';
const facesIn = ({ mail }: ReceivedMail): URL[] => [...(mail.text ?? '').matchAll(/https:\S+rating=\d\S*/g)].map(([link]) => new URL(link));
const post = (url: string, payload = 'List-Unsubscribe=One-Click', type = 'application/x-www-form-urlencoded') =>
  app.app.http.inject({ method: 'POST', url, payload, headers: { 'content-type': type } });

describe('adding requests', () => {
  it('stores each address once, and reports the others by their index', async () => {
    const requests = [{ email: ' Ana@Mail.example', name: ' Ana ' }, { email: 'ben@mail.example' }, { email: 'ana@mail.example' }];
    const preview = await add(requests, { isDryRun: true });
    expect(preview).toMatchObject({ status: 'ok', added: [], count: 2, skipped: [{ index: 2, reason: 'repeated' }] });
    expect(new Date(preview.due).toISOString()).toBe('2026-11-23T10:00:00.000Z');
    expect((await list()).requests).toEqual([]);
    const added = await add(requests);
    expect(added).toMatchObject({ count: 2, skipped: [{ index: 2, reason: 'repeated' }] });
    expect(await add(requests)).toMatchObject({
      ...{ added: [], count: 0 },
      skipped: [
        { index: 0, reason: 'waiting' },
        { index: 1, reason: 'waiting' },
        { index: 2, reason: 'repeated' },
      ],
    });
    const { requests: stored, counts } = await list();
    expect(stored.map(({ data }: { data: object }) => data)).toContainEqual(
      expect.objectContaining({ email: 'ana@mail.example', name: 'Ana', status: 'waiting', due: preview.due }),
    );
    expect(counts).toMatchObject({ waiting: 2, sent: 0 });
    expect(await app.stored(`select data from event where name = 'feedback-request.added'`)).toEqual([{ data: { count: 2 } }]);
    await call('cancel', { feedbackRequestIds: added.added });
    expect((await list()).requests).toEqual([]);
  });

  it('stores an address once, even if it is added twice at the same time', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => add([{ email: 'same@mail.example' }])));
    expect(answers.map(({ count }) => count).sort()).toEqual([0, 0, 1]);
    await call('cancel', { feedbackRequestIds: answers.flatMap(({ added }) => added) });
  });

  it.each([
    [{ email: 'ana' }, 'email'],
    [{ email: 'ana@mail' }, 'email'],
    [{ email: 'ana@mail.example\nbcc: x@y.example' }, 'email'],
    [{ email: `${'a'.repeat(65)}@mail.example` }, 'email'],
    [{ email: 'ana@mail.example', name: 'Win at prize.example' }, 'name'],
    [{ email: 'ana@mail.example', name: 'http://x' }, 'name'],
    [{ email: 'ana@mail.example', name: 'x'.repeat(61) }, 'name'],
    [{ email: 'ana@mail.example', language: 'xx' }, 'language'],
    [{ email: 'ana@mail.example', visited: now - 91 * DAY }, 'visited'],
    [{ email: 'ana@mail.example', rating: 5 }, 'rating'],
  ])('refuses %j and names the field', async (request, field) => {
    const { body } = await call('add', { propertyId: pier.id, payload: { requests: [{ email: 'ok@mail.example' }, request] } });
    expect(body.errors[0].path).toBe(`payload.requests.1.${field}`);
    expect((await list()).requests).toEqual([]);
  });

  it('refuses members, no requests, too many, and another account’s property', async () => {
    const requests = [{ email: 'ana@mail.example' }];
    for (const action of ['list', 'add']) {
      const sent = action === 'list' ? { propertyId: pier.id } : { propertyId: pier.id, payload: { requests } };
      expect((await call(action, sent, member)).body.code).toBe('not-allowed');
    }
    expect((await add([])).errors[0].path).toBe('payload.requests');
    expect((await add(Array.from({ length: 101 }, (_, index) => ({ email: `${index}@mail.example` })))).errors[0].path).toBe(
      'payload.requests',
    );
    const elsewhere = { propertyId: otherAccount.propertyId, payload: { requests } };
    expect((await call('add', elsewhere)).body.status).toBe('not found');
    expect((await call('cancel', { feedbackRequestIds: [otherAccount.feedbackRequestId] })).body.status).toBe('not found');
    expect(JSON.stringify([await list(), (await call('suppressions', { accountId: ACCOUNT_ID })).body])).not.toContain(CANARY);
  });

  it('works with an API key that has the scope, and only with it', async () => {
    const keyOf = async (scope: string) =>
      (await app.call('apiKey', 'create', { payload: { data: { displayName: 'Till', scopes: [scope] } } }, admin)).body.secret;
    const sent = { propertyId: pier.id, payload: { requests: [{ email: 'key@mail.example' }] } };
    expect((await call('add', sent, await keyOf('read-feedback'))).body.code).toBe('not-allowed');
    const { body } = await call('add', sent, await keyOf('request-feedback'));
    expect(body.count).toBe(1);
    await call('cancel', { feedbackRequestIds: body.added });
  });
});

describe('a request', () => {
  it('is sent at the property’s hour, in the customer’s language, and not before', async () => {
    await settings({ address: '1 Pier Road, Harbor' });
    await add([{ email: 'iris@mail.example', name: 'Iris', language: 'de' }]);
    await waitUntil('2026-11-23T09:59:00Z');
    await send();
    expect(mailsTo('iris@mail.example')).toEqual([]);
    await waitUntil('2026-11-23T10:00:00Z');
    await send();
    await send();
    const [mail, ...others] = mailsTo('iris@mail.example');
    expect(others).toEqual([]);
    expect(mail?.mail.subject).toContain('Pier 4');
    expect(mail?.mail.html).toContain('lang="de"');
    expect(mail?.mail.text).toContain('Iris');
    expect(mail?.mail.text).toContain('1 Pier Road, Harbor');
    expect(mail?.mail.html).not.toMatch(/<img/);
    expect(await statusOf('iris@mail.example')).toBe('sent');
  });

  it('has five faces that share the key of one answer', async () => {
    const [mail] = mailsTo('iris@mail.example');
    const faces = mail ? facesIn(mail) : [];
    expect(faces.map(({ searchParams }) => searchParams.get('rating'))).toEqual(['1', '2', '3', '4', '5']);
    const keys = new Set(faces.map(({ searchParams }) => searchParams.get('visit')));
    expect(keys.size).toBe(1);
    const page = await app.app.http.inject(`${faces[0]?.pathname}${faces[0]?.search}`);
    expect(page.body).toContain(`"submissionKey":"${[...keys][0]}"`);
    // With a key of their choice, or that of another form, a stranger could read a visitor's answer.
    for (const [formId, key] of [
      [pier.data.formId, 'a'.repeat(44)],
      [airport.data.formId, [...keys][0] ?? ''],
    ] as const) {
      const response = await app.app.http.inject(`/feedback/${formId}?rating=1&visit=${key}`);
      expect(response.body).toContain('"submissionKey":"');
      expect(response.body).not.toContain(key);
    }
  });

  it('is answered by an answer with that key, which nothing connects with the address afterwards', async () => {
    const [mail] = mailsTo('iris@mail.example');
    const key = (mail && facesIn(mail)[3]?.searchParams.get('visit')) ?? '';
    await app.call('feedback', 'save', submission({ rating: 4 }, { key, form: formOf(pier.data.formId) }));
    await relayed();
    expect(await statusOf('iris@mail.example')).toBe('answered');
    expect((await list()).counts).toMatchObject({ sent: 1, answered: 1 });
    expect(await app.stored(`select due, key_hash from feedback_request where email = 'iris@mail.example'`)).toEqual([
      { due: null, key_hash: null },
    ]);
    expect((await app.call('insight', 'reviewFunnel', { propertyId: pier.id }, admin)).body.requests).toEqual({ sent: 1, answered: 1 });
  });

  it('isn’t added again within the gap, in any property', async () => {
    for (const property of [pier, airport])
      expect(await add([{ email: 'IRIS@mail.example' }], { property })).toMatchObject({ count: 0, skipped: [{ reason: 'asked' }] });
    await waitUntil('2027-02-21T10:00:01Z');
    const { added } = await add([{ email: 'iris@mail.example' }]);
    expect(added).toHaveLength(1);
    await call('cancel', { feedbackRequestIds: added });
    await waitUntil('2026-11-23T10:00:00Z');
  });

  it('is followed by one reminder if it isn’t answered', async () => {
    await add([{ email: 'jon@mail.example', visited: now - 3 * DAY }]);
    await send();
    expect(mailsTo('jon@mail.example')).toHaveLength(1);
    await waitUntil('2026-11-30T09:00:00Z');
    await send();
    expect(mailsTo('jon@mail.example')).toHaveLength(1);
    for (const moment of ['2026-11-30T10:00:00Z', '2026-12-07T10:00:00Z', '2026-12-14T10:00:00Z']) {
      await waitUntil(moment);
      await send();
    }
    const [first, reminder, ...others] = mailsTo('jon@mail.example');
    expect(others).toEqual([]);
    expect(first?.mail.text).not.toContain('reminder');
    expect(reminder?.mail.text).toContain('reminder');
  });

  it('waits while the form is closed, and isn’t sent two weeks late', async () => {
    const formId = airport.data.formId;
    await add([{ email: 'zoe@mail.example', visited: now - 2 * DAY }], { property: airport });
    await app.call('form', 'close', { formId }, admin);
    await waitUntil('2026-12-15T10:00:00Z');
    await send();
    await waitUntil('2026-12-30T10:00:00Z');
    await app.call('form', 'open', { formId }, admin);
    await send();
    expect(mailsTo('zoe@mail.example')).toEqual([]);
    expect((await list({ propertyId: airport.id })).requests[0].data.status).toBe('skipped');
  });

  it('waits while the subscription is over, and is ended two weeks late', async () => {
    await add([{ email: 'ray@mail.example', visited: now - 3 * DAY }]);
    const setPlan = (plan: string, trialEnds: Date | null) =>
      app.stored('update subscription set plan = $2, trial_ends_at = $3 where account_id = $1', [ACCOUNT_ID, plan, trialEnds]);
    await setPlan('Pro', new Date(now - 30 * DAY));
    now += DAY;
    await signIn();
    await send();
    expect(await statusOf('ray@mail.example')).toBe('waiting');
    now += 14 * DAY;
    await signIn();
    await send();
    expect(await statusOf('ray@mail.example')).toBe('skipped');
    await setPlan('Beta', null);
    expect(mailsTo('ray@mail.example')).toEqual([]);
  });

  it('doesn’t wait behind those of a property whose form is closed', async () => {
    const formId = airport.data.formId;
    await app.call('form', 'close', { formId }, admin);
    const many = Array.from({ length: 100 }, (_, index) => ({ email: `closed${index}@mail.example`, visited: now - 3 * DAY }));
    const { added } = await add(many, { property: airport });
    now += DAY;
    await signIn();
    await add([{ email: 'behind@mail.example', visited: now - 3 * DAY }]);
    await app.stored(`update feedback_request set due = $1 where email = 'behind@mail.example'`, [new Date(now)]);
    await send();
    expect(mailsTo('behind@mail.example')).toHaveLength(1);
    await call('cancel', { feedbackRequestIds: added });
    await app.call('form', 'open', { formId }, admin);
  });

  it('is refused in a mail that names a link', async () => {
    for (const address of ['Win at prize.example', 'a@mail.example', 'http://x'])
      expect((await settings({ address })).body.errors[0].path).toBe('payload.data.requests.address');
    const rename = (displayName: string) => app.call('property', 'save', { payload: { id: pier.id, data: { displayName } } }, admin);
    await rename('prize.example');
    await add([{ email: 'link@mail.example', visited: now - 3 * DAY }]);
    now += DAY;
    await signIn();
    await send();
    await rename('Pier 4');
    expect(mailsTo('link@mail.example')[0]?.raw).not.toContain('prize');
  });
});

describe('a customer who unsubscribes', () => {
  it('is never asked again, in any property, and can undo it', async () => {
    await add([{ email: 'sol@mail.example', visited: now - 3 * DAY, language: 'es' }]);
    now += DAY;
    await signIn();
    await send();
    const [mail] = mailsTo('sol@mail.example');
    const path = stopPathIn(mail);
    expect(headerOf(mail as ReceivedMail, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    const page = await app.app.http.inject(path);
    expect(page.body).toContain('<html lang="es" dir="ltr">');
    expect(page.body).toContain(business.data.displayName);
    expect(await statusOf('sol@mail.example')).toBe('sent');

    // Whatever a mail program posts, also repeatedly.
    for (const body of ['{"resume":1}', '{']) expect((await post(path, body, 'application/json')).statusCode).toBe(200);
    expect(await statusOf('sol@mail.example')).toBe('unsubscribed');
    expect((await post(path)).statusCode).toBe(200);
    expect(await statusOf('sol@mail.example')).toBe('unsubscribed');
    now += 8 * DAY;
    await signIn();
    await send();
    expect(mailsTo('sol@mail.example')).toHaveLength(1);
    now += 400 * DAY;
    await signIn();
    for (const property of [pier, airport])
      expect(await add([{ email: 'sol@mail.example' }], { property })).toMatchObject({ skipped: [{ reason: 'unsubscribed' }] });
    const { suppressions } = (await call('suppressions', { accountId: ACCOUNT_ID, search: 'sol@' })).body;
    expect((await call('unsuppress', { suppressionId: suppressions[0].id })).body.code).toBe('conflict');

    expect((await post(path, 'resume=1')).body).toContain('<button>');
    await app.stored('update account set deleted = now() where id = $1', [ACCOUNT_ID]);
    expect((await post(path)).statusCode).toBe(200);
    await app.stored('update account set deleted = null where id = $1', [ACCOUNT_ID]);
    await signIn();
    expect(await add([{ email: 'sol@mail.example' }])).toMatchObject({ skipped: [{ reason: 'unsubscribed' }] });
    await post(path, 'resume=1');
    const { added } = await add([{ email: 'sol@mail.example' }]);
    expect(added).toHaveLength(1);
    await call('cancel', { feedbackRequestIds: added });
  });

  it('can open the page 60 times an hour, and no more, so that it delays no visitor', async () => {
    const path = stopPathIn(mailsTo('sol@mail.example')[0]);
    const answers = await Promise.all(Array.from({ length: 70 }, () => app.app.http.inject(path)));
    expect(answers.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThanOrEqual(10);
  });

  it('needs a whole link', async () => {
    for (const path of ['/stop/x', `/stop/${'a'.repeat(200)}`]) expect((await app.app.http.inject(path)).statusCode).toBe(404);
  });
});

describe('a customer who unsubscribes from a suppressed address', () => {
  it('decides alone whether to be asked again', async () => {
    await add([{ email: 'ines@mail.example', visited: now - 3 * DAY }]);
    now += DAY;
    await signIn();
    await send();
    const path = stopPathIn(mailsTo('ines@mail.example')[0]);
    const { id } = (await call('suppress', { email: 'ines@mail.example' })).body.suppression;
    expect((await post(path, 'resume=1')).body).not.toContain('<button');
    expect((await post(path)).body).toContain('name="resume"');
    expect((await call('unsuppress', { suppressionId: id })).body.code).toBe('conflict');
    expect((await call('suppress', { email: 'ines@mail.example' })).body.suppression.data.reason).toBe('unsubscribed');
    expect((await post(path, 'resume=1')).statusCode).toBe(200);
    expect((await add([{ email: 'ines@mail.example' }])).skipped).toMatchObject([{ reason: 'asked' }]);
  });
});

describe('an address that can’t be reached', () => {
  it('isn’t asked again after the mail server refused it, until an admin allows it', async () => {
    refusal = { code: 550, text: '5.1.1 No such mailbox' };
    await add([{ email: 'max@mail.example', visited: now - 3 * DAY }]);
    now += DAY;
    await signIn();
    await send();
    await relayed();
    refusal = undefined;
    expect(await statusOf('max@mail.example')).toBe('bounced');
    expect(await add([{ email: 'max@mail.example' }])).toMatchObject({ skipped: [{ reason: 'bounced' }] });
    const { suppressions } = (await call('suppressions', { accountId: ACCOUNT_ID, search: 'max@' })).body;
    expect(suppressions[0].data).toMatchObject({ email: 'max@mail.example', reason: 'bounced' });
    expect((await call('unsuppress', { suppressionId: suppressions[0].id })).body.status).toBe('ok');
    expect((await app.call('delivery', 'health', { accountId: ACCOUNT_ID }, admin)).body.failed).toBe(0);
  });

  it('gets no mail that failed before it was suppressed', async () => {
    refusal = { code: 550, text: '5.7.1 Too many mails' };
    await add([{ email: 'ola@mail.example', visited: now - 3 * DAY }]);
    now += DAY;
    await signIn();
    await send();
    refusal = undefined;
    const failed = async () => (await app.call('delivery', 'list', { accountId: ACCOUNT_ID, search: 'ola@' }, admin)).body.deliveries;
    const [mail] = await failed();
    expect(mail.data).toMatchObject({ status: 'failed', mayRetry: true });
    await call('suppress', { email: 'ola@mail.example' });
    expect((await failed())[0].data).toMatchObject({ status: 'failed', mayRetry: false });
    await app.call('delivery', 'retry', { deliveryId: mail.id }, admin);
    await send();
    expect(mailsTo('ola@mail.example')).toEqual([]);
  });

  it('isn’t asked after an admin suppressed it, even if it waits', async () => {
    await add([{ email: 'otto@mail.example', visited: now - 3 * DAY }]);
    expect((await call('suppress', { email: 'Otto@mail.example' })).body.suppression.data.reason).toBe('added');
    now += DAY;
    await signIn();
    await send();
    expect(mailsTo('otto@mail.example')).toEqual([]);
    expect(await statusOf('otto@mail.example')).toBe('skipped');
  });
});

describe('many requests', () => {
  it('are sent 100 at a time, and those of another account don’t wait', async () => {
    for (const list of ['a', 'b'])
      await add(Array.from({ length: 75 }, (_, index) => ({ email: `${list}${index}@mail.example`, visited: now - 3 * DAY })));
    await app.stored(`update feedback_request set due = $1, email = 'bay@mail.example' where id = $2`, [
      new Date(now + HOUR),
      otherAccount.feedbackRequestId,
    ]);
    await app.stored('delete from suppression where account_id = $1', [otherAccount.accountId]);
    now += DAY;
    await signIn();
    const before = smtp.received.length;
    await send();
    expect(mailsTo('bay@mail.example')).toHaveLength(1);
    expect(smtp.received.length - before).toBe(101);
    now += 5 * MINUTE;
    await send();
    expect(smtp.received.length - before).toBe(151);
  });

  it('stop at the daily limit', async () => {
    await app.stored(
      `insert into feedback_request (account_id, id, property_id, email_hash, author, created, visited, status, sent, reminded)
       select $1, 'FEEDBACKREQUEST_Full' || n, $2, n::text::bytea, '', $3, $3, 'answered',
              case when n % 2 = 0 then $3 else $4::timestamptz end, case when n % 2 = 1 then $3 end
         from generate_series(1, 4990) n`,
      [ACCOUNT_ID, pier.id, new Date(now), new Date(now - 7 * DAY)],
    );
    await add(Array.from({ length: 20 }, (_, index) => ({ email: `full${index}@mail.example`, visited: now - 3 * DAY })));
    await app.stored(`update feedback_request set due = $1 where email like 'full%'`, [new Date(now)]);
    const before = smtp.received.length;
    const [sent] = await app.stored<{ lately: number }>(
      `select count(*)::int as lately from feedback_request where account_id = $1 and (sent > $2 or reminded > $2)`,
      [ACCOUNT_ID, new Date(now - DAY)],
    );
    await send();
    expect(smtp.received.length - before).toBe(Math.max(0, 5_000 - (sent?.lately ?? 0)));
    await app.stored(`delete from feedback_request where id like 'FEEDBACKREQUEST_Full%' or email like 'full%'`);
  });
});

describe('the numbers of requests by status', () => {
  it('are counted from an index alone, also those of a period', async () => {
    // A small table, or one without statistics, is read by any index.
    await app.stored(
      `insert into feedback_request (account_id, id, property_id, email_hash, author, created, visited, status, sent)
       select $1, 'FEEDBACKREQUEST_Counted' || n, $2, n::text::bytea, '', $3, $3, 'answered', $3 from generate_series(1, 5000) n`,
      [ACCOUNT_ID, pier.id, new Date('2026-11-10')],
    );
    const client = await app.connect();
    // Rows that a vacuum hasn't seen, or a transaction might not see yet, cost a visit to the table.
    const isVisibleToAll = async () => {
      await client.query('vacuum analyze feedback_request');
      const { rows } = await client.query(`select relallvisible = relpages as is from pg_class where relname = 'feedback_request'`);
      return rows[0].is;
    };
    await expect.poll(isVisibleToAll).toBe(true);
    for (const period of ['', `and sent >= '2026-11-01' and sent < '2026-12-01'`]) {
      const { rows } = await client.query(
        `explain select status, count(*), count(sent) from feedback_request
         where account_id = '${ACCOUNT_ID}' and property_id = '${pier.id}' ${period} group by 1`,
      );
      expect(JSON.stringify(rows)).toContain('Index Only Scan using feedback_request_counts');
    }
    await client.end();
    await app.stored(`delete from feedback_request where id like 'FEEDBACKREQUEST_Counted%'`);
  });
});

describe('old requests', () => {
  it('lose address and name after the property’s retention, and are deleted after 400 days', async () => {
    await add([{ email: 'old@mail.example', name: 'Old', visited: now - 3 * DAY }]);
    now += DAY;
    await signIn();
    await send();
    await app.call(
      'property',
      'save',
      { payload: { id: pier.id, data: { retention: 1, requests: { delay: 1, hour: 10, gap: 90 } } } },
      admin,
    );
    now += 62 * DAY;
    await signIn();
    // The reminders of all earlier requests are too late.
    for (let run = 0; run < 3; run += 1) await send();
    const { platform } = app.app;
    await applyRetention({ ...platform, deleteMail: openMails(platform).delete });
    expect(await app.stored(`select status, due, created from feedback_request where email = 'old@mail.example'`)).toEqual([]);
    expect(await app.stored(`select 1 from delivery where "to" = 'old@mail.example'`)).toEqual([]);
    expect((await list()).counts.sent).toBeGreaterThan(0);
    now += 400 * DAY;
    await platform.database.transaction({}, (db) => platform.jobs.queue(db, 'feedback-request.upkeep', {}));
    const remaining = 'select email from feedback_request union all select email from suppression where email is not null';
    await vi.waitFor(async () => expect(await app.stored(remaining)).toEqual([]), PATIENT);
    expect(await app.stored('select 1 from suppression')).not.toEqual([]);
    await signIn();
  });
});

describe('a visitor’s rights', () => {
  it('include the requests to their address', async () => {
    await add([{ email: 'eva@mail.example', name: 'Eva', visited: now - 3 * DAY }]);
    now += DAY;
    await signIn();
    await send();
    const ask = async (action: string) => (await app.call('privacy', action, { contact: 'Eva@mail.example' }, admin)).body;
    expect(await ask('find')).toMatchObject({ count: 0, requests: 1 });
    expect(JSON.parse((await ask('file')).content).feedbackRequests).toEqual([
      expect.objectContaining({ property: 'Pier 4', email: 'eva@mail.example', name: 'Eva', status: 'sent' }),
    ]);
    const { sent } = (await list()).counts;
    const archive = (await app.call('export', 'archive', { accountId: ACCOUNT_ID, zone: 'UTC' }, admin)).body.file;
    const statusOfArchive = () => app.stored('select status from export where id = $1', [archive.id]);
    await vi.waitFor(async () => expect(await statusOfArchive()).toEqual([{ status: 'done' }]), PATIENT);
    expect(await ask('erase')).toMatchObject({ erased: 0, left: 0 });
    expect(await ask('find')).toMatchObject({ requests: 0 });
    await vi.waitFor(async () => expect(await statusOfArchive()).toEqual([{ status: 'failed' }]), PATIENT);
    // So erasing doesn't allow an account to send more.
    expect((await list()).counts.sent).toBe(sent);
    for (const table of ['feedback_request', 'suppression', 'delivery', 'event'])
      expect(JSON.stringify(await app.stored(`select * from ${table}`))).not.toContain('eva@mail.example');
    expect(await add([{ email: 'eva@mail.example' }])).toMatchObject({ skipped: [{ reason: 'added' }] });
  });
});
