import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { HOUR, MINUTE } from '#contract/core/time.ts';
import { isUnopened, type OpenState } from '#contract/feedback/work.ts';
import { DEFAULT_HOURS } from '#contract/kiosk/hours.ts';
import { CODE_ALPHABET } from '#contract/kiosk/kiosk.ts';
import { MOST_DELIVERED } from '#contract/kiosk/kiosk-page.ts';
import { ACCOUNT_ID, dana, noor, oldTown, pier, sam } from '#fixtures/business.ts';
import { EXIT_PIN, exitKiosk } from '#fixtures/kiosks.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { formOf, newKey, responsesTo } from '../../test/support/submission.ts';
import * as feedback from '../feedback/store.ts';
import { inAccount } from '../platform/tenancy/access.ts';
import { pinHashOf } from './kiosk.ts';
import { watchKiosks } from './watch.ts';

/** A Thursday in the future, so that the product's clock never runs behind the database's. */
const NOON = Date.parse('2027-06-17T12:00:00Z');

let app: TestApp;
let admin: string;
let member: string;
let now = NOON;
beforeAll(async () => {
  app = await openTestApp({ also: addOtherAccount, clock: () => now });
});
afterAll(() => app.stop());
beforeEach(async () => {
  now = NOON;
  [admin, member] = [await app.signIn(dana.data.emailAddress), await app.signIn(sam.data.emailAddress)];
  await app.stored('delete from rate_limit');
});

const ask = (action: string, input: object, token = admin) => app.call('kiosk', action, input, token);
const tablet = (action: string, input: object) => app.call('kiosk', action, input);
const add = (data: object = {}, token = admin) =>
  ask('save', { payload: { data: { propertyId: pier.id, displayName: `Exit ${randomUUID().slice(0, 8)}`, pin: '2580', ...data } } }, token);
const change = (id: string, data: object) => ask('save', { payload: { id, data } });
const eventsOf = async (id: string) =>
  (await app.stored<{ name: string }>('select name from event where subject = $1 order by id', [id])).map(({ name }) => name);

/** Adds a kiosk and pairs a tablet with it. */
async function paired(data: object = {}): Promise<{ id: string; token: string }> {
  const { kiosk } = (await add(data)).body;
  return { id: kiosk.id, token: await pair(kiosk.id) };
}

async function pair(kioskId: string): Promise<string> {
  const { code } = (await ask('startPairing', { kioskId })).body;
  return (await tablet('pair', { code })).body.token;
}

const form = formOf();
interface Given {
  readonly age?: number;
  readonly isRepeat?: true;
  readonly text?: string;
}
const answer = (rating: 1 | 2 | 3 | 4 | 5, { age = 0, isRepeat, text }: Given = {}) => ({
  key: newKey(),
  age,
  formId: form.id,
  formVersion: 1,
  language: 'en',
  responses: responsesTo(form, { rating, ...(text !== undefined && { text }) }),
  ...(isRepeat && { isRepeat }),
});
const report = (token: string, facts: object = {}) => tablet('report', { token, waiting: 0, version: 'a1b2c3', ...facts });
const storedOf = (id: string) =>
  app.stored<{ rating: number; created: Date; suspected: boolean | null; text: string | null }>(
    'select rating, created, suspected, text from feedback where tool_id = $1 order by id',
    [id],
  );

describe('a new kiosk', () => {
  it('is a placement of its property, added by an admin', async () => {
    expect((await add({}, member)).body.code).toBe('not-allowed');
    const { kiosk } = (await add({ displayName: 'Exit', thanks: ' See you! ' })).body;
    expect(kiosk).toEqual({
      id: expect.stringMatching(/^TOOL_\w{10}$/),
      sk: 'KIOSK',
      gs1sk: pier.id,
      data: {
        ...{ accountId: ACCOUNT_ID, propertyId: pier.id, displayName: 'Exit', created: NOON },
        ...{ hours: DEFAULT_HOURS, thanks: 'See you!', repeatWithin: 5 },
      },
    });
    expect(await eventsOf(kiosk.id)).toEqual(['tool.created', 'kiosk.created']);
    const { tools } = (await app.call('tool', 'list', { accountId: ACCOUNT_ID, propertyId: pier.id }, member)).body;
    expect(tools.find((tool: { id: string }) => tool.id === kiosk.id).data.toolType).toBe('kiosk');
    expect((await add({ displayName: 'EXIT' })).body.errors[0].path).toBe('payload.data.displayName');
  });

  it.each([
    ['pin', { pin: '123' }],
    ['pin', { pin: '12345678901' }],
    ['pin', { pin: 'abcd' }],
    ['hours', { hours: DEFAULT_HOURS.slice(1) }],
    ['hours.3.to', { hours: DEFAULT_HOURS.with(3, { from: '10:00', to: '10:00' }) }],
    ['hours.0.from', { hours: DEFAULT_HOURS.with(0, { from: '25:00', to: '10:00' }) }],
    ['thanks', { thanks: 'x'.repeat(121) }],
    ['repeatWithin', { repeatWithin: 61 }],
    ['repeatWithin', { repeatWithin: -1 }],
    ['repeatWithin', { repeatWithin: 1.5 }],
    ['displayName', { displayName: ' ' }],
  ])('is refused naming %s for %o', async (field, data) => {
    const { body } = await add(data);
    expect([body.code, body.errors[0].path.startsWith(`payload.data.${field}`)]).toEqual(['bad-input', true]);
  });

  it('is refused for another account’s property', async () => {
    expect((await add({ propertyId: otherAccount.propertyId })).body).toEqual({ status: 'not found' });
  });
});

describe('a change', () => {
  it('keeps what it leaves out, and is recorded once', async () => {
    const { kiosk } = (await add({ thanks: 'Bye' })).body;
    await change(kiosk.id, { repeatWithin: 0, thanks: '' });
    const { kiosk: changed } = (await change(kiosk.id, { displayName: `Door ${kiosk.id}` })).body;
    const { thanks: _removed, ...data } = kiosk.data;
    expect(changed.data).toEqual({ ...data, displayName: `Door ${kiosk.id}`, repeatWithin: 0 });
    expect((await eventsOf(kiosk.id)).slice(2)).toEqual(['kiosk.changed', 'tool.renamed']);
  });

  it('of the PIN changes what its tablet checks', async () => {
    const { id, token } = await paired();
    const hashes: string[] = [(await report(token)).body.changed.content.pinHash];
    await change(id, { pin: '112233' });
    hashes.push((await report(token)).body.changed.content.pinHash);
    expect(hashes).toEqual(['2580', '112233'].map((pin) => pinHashOf(id, pin).toString('hex')));
  });
});

describe('the list', () => {
  it('has the kiosks of an account or a property, without PIN and token', async () => {
    const { id } = await paired({ propertyId: oldTown.id, displayName: 'A door' });
    const { body } = await ask('list', { accountId: ACCOUNT_ID, propertyId: oldTown.id }, member);
    expect(body.kiosks.map((kiosk: { id: string }) => kiosk.id)).toEqual([id, exitKiosk.id]);
    expect(body.kiosks[1]).toEqual(exitKiosk);
    expect(JSON.stringify(body)).not.toMatch(/hash|token|pin/i);
    for (const propertyId of ['PROPERTY_NobodyHere', otherAccount.propertyId])
      expect((await ask('list', { accountId: ACCOUNT_ID, propertyId })).body).toEqual({ status: 'not found' });
  });
});

describe('pairing', () => {
  it('gives a tablet its token once, by a code that an admin sees', async () => {
    const { kiosk } = (await add({ displayName: 'Pairing' })).body;
    expect((await ask('startPairing', { kioskId: kiosk.id }, member)).body.code).toBe('not-allowed');
    const { code, until } = (await ask('startPairing', { kioskId: kiosk.id })).body;
    expect([...code].every((letter) => CODE_ALPHABET.includes(letter))).toBe(true);
    expect(until).toBe(NOON + 15 * MINUTE);
    const { token, content } = (await tablet('pair', { code: ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} ` })).body;
    expect(content).toMatchObject({ kioskId: kiosk.id, name: 'Pairing', place: 'Pier 4', formId: form.id, repeatWithin: 5 });
    const [stored] = await app.stored<{ row: string }>('select row_to_json(kiosk)::text as row from kiosk where id = $1', [kiosk.id]);
    for (const secret of [code, token, '2580']) expect(stored?.row).not.toContain(secret);
    expect((await tablet('pair', { code })).body).toEqual({ status: 'not found' });
    expect((await tablet('pair', { code: 'ABCD-234' })).body.errors[0].path).toBe('code');
    expect(await eventsOf(kiosk.id)).toContain('kiosk.paired');
  });

  it('ends after 15 minutes, and with a newer code', async () => {
    const { kiosk } = (await add()).body;
    const first = (await ask('startPairing', { kioskId: kiosk.id })).body.code;
    const second = (await ask('startPairing', { kioskId: kiosk.id })).body.code;
    expect((await tablet('pair', { code: first })).status).toBe(404);
    now += 15 * MINUTE;
    expect((await tablet('pair', { code: second })).status).toBe(404);
  });

  it('ends the access of the previous tablet, as revoking, leaving and deleting do', async () => {
    const { id, token } = await paired();
    const second = await pair(id);
    expect((await report(token)).body.code).toBe('kiosk-gone');
    expect((await report(second)).status).toBe(200);
    const { kiosk } = (await ask('revoke', { kioskId: id })).body;
    expect(kiosk.data.paired).toBeUndefined();
    const unused = (await ask('startPairing', { kioskId: id })).body.code;
    await ask('revoke', { kioskId: id });
    expect((await tablet('pair', { code: unused })).status).toBe(404);
    expect((await report(second)).status).toBe(410);
    const third = await pair(id);
    expect((await tablet('leave', { token: third })).status).toBe(200);
    expect((await report(third)).status).toBe(410);
    expect((await eventsOf(id)).filter((name) => name === 'kiosk.revoked')).toHaveLength(2);
    const fourth = await pair(id);
    const { code } = (await ask('startPairing', { kioskId: id })).body;
    await app.call('tool', 'delete', { toolId: id }, admin);
    expect((await report(fourth)).status).toBe(410);
    expect((await tablet('deliver', { token: fourth, answers: [answer(5)] })).status).toBe(410);
    expect((await tablet('pair', { code })).status).toBe(404);
  });

  it('shows an owner’s thanks in the form’s language, and every language that the form offers', async () => {
    const { token } = await paired({ thanks: 'Until next time!' });
    const { content } = (await report(token)).body.changed;
    expect(content.languages).toHaveLength(24);
    const [en, ja] = ['en', 'ja'].map((tag) => content.languages.find((each: { tag: string }) => each.tag === tag));
    expect([en.thanks, ja.thanks.title]).toEqual([{ title: 'Until next time!' }, expect.stringMatching(/ありがとう/)]);
    expect(content.services.map(({ path }: { path: string }) => path)).toEqual([
      `/feedback/${form.id}/review/Google`,
      `/feedback/${form.id}/review/Yelp`,
    ]);
  });
});

describe('a report', () => {
  it('is what the team sees, and returns what the kiosk shows only if that has changed', async () => {
    const { id, token } = await paired();
    const { changed, version } = (await report(token)).body;
    expect(version).toMatch(/^[0-9a-f]{12}$/);
    now += MINUTE;
    expect((await report(token, { waiting: 12, revision: changed.revision })).body).toEqual({ status: 'ok', version });
    const { kiosks } = (await ask('list', { accountId: ACCOUNT_ID })).body;
    expect(kiosks.find((kiosk: { id: string }) => kiosk.id === id).data).toMatchObject({
      ...{ paired: NOON, seen: NOON + MINUTE, waiting: 12, version: 'a1b2c3' },
    });
    await change(id, { repeatWithin: 30 });
    expect((await report(token, { revision: changed.revision })).body.changed.content.repeatWithin).toBe(30);
  });

  it('is limited for each kiosk, whose token may be stolen', async () => {
    const [{ token }, neighbor] = [await paired(), await paired()];
    for (let sent = 0; sent < 3; sent += 1) await report(token);
    // Only the reports were counted three times.
    await app.stored('update rate_limit set count = 600 where count = 3');
    expect((await report(token)).status).toBe(429);
    expect((await report(neighbor.token)).status).toBe(200);
  });

  it.each(['ACCOUNT_HarborCoffee', `ACCOUNT_HarborCoffee.${'a'.repeat(43)}`, `${otherAccount.accountId}.${'a'.repeat(43)}`])(
    'is refused with the token %s',
    async (token) => {
      expect([400, 410]).toContain((await report(token)).status);
    },
  );
});

describe('a delivery', () => {
  it('stores each answer once, with its time, its words and its kiosk', async () => {
    const { id, token } = await paired();
    const answers = [
      answer(2, { age: 3 * HOUR, text: 'Cold' }),
      answer(5, { age: 2 * HOUR }),
      answer(5, { age: 2 * HOUR - 900, isRepeat: true }),
    ];
    expect((await tablet('deliver', { token, answers })).body).toEqual({ status: 'ok', refused: [] });
    await Promise.all([tablet('deliver', { token, answers }), tablet('deliver', { token, answers })]);
    now += HOUR;
    await tablet('deliver', { token, answers: answers.map((each) => ({ ...each, age: each.age + HOUR })) });
    expect(await storedOf(id)).toEqual([
      { rating: 2, created: new Date(NOON - 3 * HOUR), suspected: null, text: 'Cold' },
      { rating: 5, created: new Date(NOON - 2 * HOUR), suspected: null, text: null },
      { rating: 5, created: new Date(NOON - 2 * HOUR + 900), suspected: true, text: null },
    ]);
    const counts = await app.stored<{ quarter: Date; two: number; five: number; suspected: number }>(
      'select quarter, sum(two)::integer as two, sum(five)::integer as five, sum(suspected)::integer as suspected from feedback_tally where place = $1 group by 1 order by 1',
      [id],
    );
    expect(counts).toEqual([
      { quarter: new Date(NOON - 3 * HOUR), two: 1, five: 0, suspected: 0 },
      { quarter: new Date(NOON - 2 * HOUR), two: 0, five: 1, suspected: 1 },
    ]);
  });

  it('is not limited by its network, but by its kiosk', async () => {
    const { id, token } = await paired();
    for (let batch = 0; batch < 5; batch += 1)
      await tablet('deliver', { token, answers: Array.from({ length: MOST_DELIVERED }, () => answer(4)) });
    const stored = await storedOf(id);
    expect([stored.length, stored.filter(({ suspected }) => suspected).length]).toEqual([5 * MOST_DELIVERED, 0]);
    expect((await tablet('deliver', { token, answers: Array.from({ length: MOST_DELIVERED + 1 }, () => answer(4)) })).status).toBe(400);
    await app.stored('update rate_limit set count = 1000 where count = 5');
    expect((await tablet('deliver', { token, answers: [answer(4)] })).status).toBe(429);
  });

  it('names answers that can’t be stored, and stores the others', async () => {
    const { id, token } = await paired();
    const elsewhere = { ...answer(5), formId: oldTown.data.formId };
    const foreign = { ...answer(5), formId: otherAccount.formId };
    const unknown = { ...answer(5), formId: 'FORM_nobody' };
    const [wrong] = [{ ...answer(5), responses: [{ ...answer(5).responses[0], uuid: randomUUID() }] }];
    const { refused } = (await tablet('deliver', { token, answers: [elsewhere, foreign, unknown, wrong, answer(3)] })).body;
    expect(refused).toEqual([elsewhere.key, foreign.key, unknown.key, wrong.key]);
    expect((await storedOf(id)).map(({ rating }) => rating)).toEqual([3]);
  });

  it('stores answers to a form that was closed since', async () => {
    const { kiosk } = (await add({ propertyId: oldTown.id })).body;
    const token = await pair(kiosk.id);
    const town = formOf(oldTown.data.formId);
    await app.call('form', 'close', { formId: town.id }, admin);
    await vi.waitFor(async () => expect((await report(token)).body.changed.content.isClosed).toBe(true), PATIENT);
    const late = { ...answer(4), formId: town.id, responses: responsesTo(town, { rating: 4 }) };
    expect((await tablet('deliver', { token, answers: [late] })).body.refused).toEqual([]);
    await app.call('form', 'open', { formId: town.id }, admin);
  });

  it('has the form that replaced a deleted one', async () => {
    const { kiosk } = (await add({ propertyId: oldTown.id })).body;
    const token = await pair(kiosk.id);
    await app.call('form', 'delete', { formId: oldTown.data.formId }, admin);
    const { form: next } = (await app.call('form', 'create', { propertyId: oldTown.id }, admin)).body;
    await vi.waitFor(async () => expect((await report(token)).body.changed.content.formId).toBe(next.id), PATIENT);
    expect((await report(token)).body.changed.content).not.toHaveProperty('isClosed');
  });

  it('is unread for those who marked all as read before it arrived, and opened by no one', async () => {
    const { id, token } = await paired();
    const idOf = async () => (await app.stored<{ id: string }>('select id from feedback where tool_id = $1', [id])).map((row) => row.id);
    await app.call('feedback', 'markAllRead', {}, admin);
    await tablet('deliver', { token, answers: [answer(1, { age: HOUR })] });
    const [feedbackId = ''] = await idOf();
    const get = async (token: string) => (await app.call('feedback', 'get', { feedbackId }, token)).body.feedback.data;
    expect((await get(admin)).unread).toBe(true);
    const states = await inAccount(app.app.platform, { accountId: ACCOUNT_ID, actor: dana.id }, (scope) =>
      feedback.openStates(scope, [feedbackId]),
    );
    expect(isUnopened(states.get(feedbackId) as OpenState)).toBe(true);
    const [row] = await app.stored<{ count: number }>(
      'select count(*)::integer as count from feedback_mark where feedback_id = $1 and unread',
      [feedbackId],
    );
    expect(row?.count).toBeGreaterThan(0);
    await app.call('feedback', 'markAllRead', {}, admin);
    expect((await get(admin)).unread).toBeUndefined();
  });
});

describe('a silent kiosk', () => {
  const noticesOf = async () =>
    (
      await app.stored<{ user_id: string; kiosk_id: string }>(
        "select user_id, kiosk_id from notification where kind = 'kiosk' order by user_id",
      )
    ).map((row) => [row.user_id, row.kiosk_id]);
  const waitUntilRelayed = () =>
    vi.waitFor(async () => expect(await app.stored('select 1 from event where not relayed')).toEqual([]), PATIENT);

  /** Runs the job of a process that started at a time. */
  const watch = (started = 0) => watchKiosks(app.app.platform, started);

  beforeEach(async () => {
    await app.stored("update kiosk set token_hash = null; delete from notification where kind = 'kiosk'");
    await app.stored('update property set complaints = $1 where id = $2', [[noor.id], pier.id]);
  });

  it('is reported once to those who get the property’s alerts, until it is back', async () => {
    const { id, token } = await paired({ displayName: 'Silent exit' });
    now += 15 * MINUTE;
    await watch();
    expect((await eventsOf(id)).includes('kiosk.silent')).toBe(false);
    now += MINUTE;
    await watch();
    now += HOUR;
    await watch();
    await waitUntilRelayed();
    expect(await noticesOf()).toEqual([[noor.id, id]]);
    const mail = await app.mailTo(noor.data.emailAddress, 'A kiosk is silent');
    for (const part of ['Silent exit', '/properties/pier-4/feedback']) expect(mail).toContain(part);
    const inbox = await app.call('notification', 'list', {}, await app.signIn(noor.data.emailAddress));
    expect(inbox.body.notifications[0].data.kiosk).toEqual({ id, propertyId: pier.id });
    await report(token);
    await report(token);
    expect((await eventsOf(id)).slice(-2)).toEqual(['kiosk.silent', 'kiosk.back']);
  });

  it('is reported to the admins if no one gets the property’s alerts, and not while it is closed or revoked', async () => {
    await app.stored('update property set complaints = $1 where id = $2', [[], pier.id]);
    const closed = await paired({ hours: DEFAULT_HOURS.map(() => null) });
    const revoked = await paired();
    await ask('revoke', { kioskId: revoked.id });
    const open = await paired();
    now += HOUR;
    await watch();
    await waitUntilRelayed();
    expect(await noticesOf()).toEqual([[dana.id, open.id]]);
    expect(await app.mailTo(dana.data.emailAddress, 'A kiosk is silent')).toContain('/properties/pier-4/configuration?tab=share');
    expect((await eventsOf(closed.id)).at(-1)).toBe('kiosk.paired');
  });

  it('isn’t reported while it may not have noticed that the installation is back', async () => {
    const { id } = await paired();
    now += HOUR;
    const started = now;
    await watch(started);
    now += 15 * MINUTE;
    await watch(started);
    expect((await eventsOf(id)).at(-1)).toBe('kiosk.paired');
    now += MINUTE;
    await watch(started);
    expect((await eventsOf(id)).at(-1)).toBe('kiosk.silent');
  });

  it('follows the clock of its property', async () => {
    await app.stored("update property set time_zone = 'Pacific/Auckland' where id = $1", [pier.id]);
    const { id } = await paired();
    now += HOUR;
    await watch();
    expect((await eventsOf(id)).at(-1)).toBe('kiosk.paired');
    await app.stored('update property set time_zone = null where id = $1', [pier.id]);
  });
});

it('opens the page with its worker, manifest and icon', async () => {
  const open = (url: string) => app.app.http.inject({ url });
  const [page, worker, manifest, icon] = await Promise.all(
    ['/kiosk', '/kiosk-worker.js', '/kiosk.webmanifest', '/kiosk-icon.svg'].map(open),
  );
  for (const answered of [page, worker, manifest, icon])
    expect([answered?.statusCode, answered?.headers['cache-control']]).toEqual([200, 'no-cache']);
  const [, script = ''] = /type="module" src="([^"]+)"/.exec(page?.body ?? '') ?? [];
  expect((await open(script)).statusCode).toBe(200);
  expect(page?.headers['content-security-policy']).toContain("default-src 'none'");
  expect(manifest?.json()).toMatchObject({ start_url: '/kiosk', display: 'fullscreen' });
});

it('belongs to its account alone, with the sample’s PIN', async () => {
  const [row] = await app.stored<{ pin_hash: Buffer }>('select pin_hash from kiosk where id = $1', [exitKiosk.id]);
  expect(row?.pin_hash).toEqual(pinHashOf(exitKiosk.id, EXIT_PIN));
  await inAccount(app.app.platform, { accountId: otherAccount.accountId, actor: 'visitor' }, async ({ db }) => {
    expect((await db.execute('select id from kiosk')).rows).toEqual([{ id: otherAccount.kioskId }]);
  });
});

describe('an invented token', () => {
  const reportFrom = (network: string, token: string) =>
    app.app.http.inject({
      ...{ method: 'POST', url: '/api/data', remoteAddress: network },
      payload: { service: 'kiosk', action: 'report', token, waiting: 0, version: 'a1b2c3' },
    });
  const invented = (network = '203.0.113.1') =>
    reportFrom(network, `ACCOUNT_${randomUUID().slice(0, 8)}.${randomBytes(32).toString('base64url')}`);

  /** Keeps others from reading kiosks until it's ended. */
  async function lockKiosks(): Promise<() => Promise<void>> {
    const locker = await app.connect();
    await locker.query('begin');
    await locker.query('lock table kiosk in access exclusive mode');
    return () => locker.end();
  }

  it('delays no one, whatever account it names', async () => {
    const unlock = await lockKiosks();
    // More than may wait.
    const flood = Array.from({ length: 400 }, () => invented());
    const listed = await app.call('property', 'list', { accountId: ACCOUNT_ID }, admin);
    expect(listed.status).toBe(200);
    expect(new Set((await Promise.all(flood)).map((response) => response.json().code))).toEqual(new Set(['overloaded']));
    await unlock();
    expect((await invented()).json().code).toBe('kiosk-gone');
  });

  it('isn’t looked up for a network that has sent too many, but a tablet’s is', async () => {
    const [network, { token }] = ['203.0.113.2', await paired()];
    expect((await reportFrom(network, token)).statusCode).toBe(200);
    expect((await invented(network)).statusCode).toBe(410);
    await app.stored('update rate_limit set count = 100');
    expect((await invented(network)).statusCode).toBe(429);
    const unlock = await lockKiosks();
    expect((await invented(network)).statusCode).toBe(429);
    await unlock();
    await app.stored('delete from rate_limit');
    expect((await reportFrom(network, token)).statusCode).toBe(200);
  });
});

it('limits pairings for each network, so that no one guesses a code', async () => {
  const statuses = new Set<number>();
  for (let attempt = 0; attempt < 31; attempt += 1) statuses.add((await tablet('pair', { code: 'ABCD2345' })).status);
  expect([...statuses]).toEqual([404, 429]);
});
