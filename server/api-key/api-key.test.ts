import { randomBytes } from 'node:crypto';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOST_KEYS } from '#contract/api-key/api-key.ts';
import { KEY_SCOPES } from '#contract/core/operation.ts';
import { DAY } from '#contract/core/time.ts';
import { ACCOUNT_ID, dana, pier, sam } from '#fixtures/business.ts';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';
import { newKey, submission } from '../../test/support/submission.ts';

let app: TestApp;
let admin: string;
let now = Date.parse('2026-11-26T12:00:00Z');
const signIn = async () => {
  admin = await app.signIn(dana.data.emailAddress);
};
beforeAll(async () => {
  app = await openTestApp({ clock: () => now, also: addOtherAccount });
  await signIn();
});
afterAll(() => app.stop());

const create = (data: object = {}, token = admin) =>
  app.call('apiKey', 'create', { payload: { data: { displayName: 'Reporting', scopes: ['read-feedback'], ...data } } }, token);
const secretOf = async (data?: object): Promise<string> => (await create(data)).body.secret;
const list = async () => (await app.call('apiKey', 'list', { accountId: ACCOUNT_ID }, admin)).body.keys;
const revoke = (apiKeyId: string, token = admin) => app.call('apiKey', 'revoke', { apiKeyId }, token);
const read = (token: string, sent: object = { accountId: ACCOUNT_ID }) => app.call('feedback', 'list', sent, token);
const post = (url: string, token: string, payload: unknown) =>
  app.app.http.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: JSON.stringify(payload),
  });

describe('a key', () => {
  it('is created by an admin, shown once, and stored as a hash', async () => {
    const { body } = await create({ displayName: '  Reporting ', expires: now + DAY });
    expect(body.secret).toMatch(new RegExp(`^afterword\\.${ACCOUNT_ID}\\.[\\w-]{43}$`));
    expect(body.key).toMatchObject({
      sk: 'APIKEY',
      gs1sk: ACCOUNT_ID,
      data: { displayName: 'Reporting', scopes: ['read-feedback'], ending: body.secret.slice(-4), author: dana.id, expires: now + DAY },
    });
    expect((await list())[0]).toEqual(body.key);
    const [row] = await app.stored('select to_jsonb(api_key)::text as row from api_key where id = $1', [body.key.id]);
    expect(JSON.stringify(row)).not.toContain(body.secret.split('.')[2]);
    expect((await create({}, await app.signIn(sam.data.emailAddress))).body.code).toBe('not-allowed');
    expect(await app.stored('select name, actor, data from event where subject = $1', [body.key.id])).toEqual([
      { name: 'api-key.created', actor: dana.id, data: { scopes: ['read-feedback'] } },
    ]);
  });

  it('is announced to the admins by mail', async () => {
    const { id } = (await create({ displayName: 'Announced' })).body.key;
    const relayed = () => app.stored('select from event where subject = $1 and not relayed', [id]);
    await expect.poll(relayed).toEqual([]);
    const mails = await app.stored(`select "to", mail from delivery where reason = 'api-key.created' order by created desc limit 1`);
    expect(mails).toEqual([{ to: dana.data.emailAddress, mail: 'api-key-created' }]);
  });

  it.each([
    ['displayName', { displayName: ' ' }],
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: ['export', 'export'] }],
    ['scopes.0', { scopes: ['everything'] }],
    ['expires', { expires: 1 }],
    ['expires', { expires: Number.MAX_SAFE_INTEGER }],
  ])('is refused naming %s for %o', async (field, data) => {
    const { body } = await create(data);
    expect([body.code, body.errors[0].path]).toEqual(['bad-input', `payload.data.${field}`]);
  });

  it('needs a fresh sign-in', async () => {
    now += 20 * 60_000;
    expect((await create()).body.code).toBe('sign-in-again');
    await signIn();
  });

  it('is one of a limited number', async () => {
    for (let count = (await list()).length; count < MOST_KEYS; count += 1) await create();
    expect((await create()).body.code).toBe('conflict');
    for (const { id } of await list()) await revoke(id);
    expect(await list()).toEqual([]);
  });
});

describe('a request with a key', () => {
  it('reads with the rights of the admin who created it, and stores when', async () => {
    const key = await secretOf();
    expect((await read(key)).body).toEqual((await read(admin)).body);
    expect((await read(key, { accountId: otherAccount.accountId })).status).toBe(404);
    expect((await list())[0].data.lastUsed).toBe(now);
  });

  it('is refused what its scopes don’t have, and what no key may do', async () => {
    const [reader, exporter] = [await secretOf(), await secretOf({ scopes: ['export'] })];
    const startExport = (key: string) => app.call('export', 'create', { accountId: ACCOUNT_ID, format: 'csv', zone: 'UTC' }, key);
    expect((await startExport(exporter)).status).toBe(200);
    expect((await startExport(reader)).body).toMatchObject({ code: 'not-allowed', detail: 'This API key lacks the scope export.' });
    expect((await read(exporter)).body.code).toBe('not-allowed');
    for (const [service, action, sent] of [
      ['apiKey', 'list', { accountId: ACCOUNT_ID }],
      ['user', 'sessions', {}],
      ['property', 'delete', { propertyId: pier.id }],
    ] as const)
      expect((await app.call(service, action, sent, reader)).body).toMatchObject({
        code: 'not-allowed',
        detail: 'API keys can’t do this.',
      });
    const live = await app.app.http.inject({ url: '/api/live', headers: { authorization: `Bearer ${reader}` } });
    expect(live.statusCode).toBe(403);
  });

  it('is refused once the key is revoked, expired or changed', async () => {
    const { body } = await create({ expires: now + DAY });
    expect((await read(body.secret)).status).toBe(200);
    for (const wrong of [`${body.secret.slice(0, -1)}!`, `${body.secret}x`, `afterword.${otherAccount.accountId}.x`, 'afterword'])
      expect((await read(wrong)).body.code).toBe('not-signed-in');
    now += DAY;
    expect((await read(body.secret)).body.code).toBe('not-signed-in');
    await signIn();
    const second = await create();
    expect((await revoke(second.body.key.id)).status).toBe(200);
    expect((await revoke(second.body.key.id)).status).toBe(404);
    expect((await read(second.body.secret)).body.code).toBe('not-signed-in');
  });

  it('with an invented key delays neither the account’s visitors nor its people', async () => {
    const key = newKey();
    await app.call('feedback', 'save', submission({ rating: 2 }, { key }));
    const invented = () => read(`afterword.${ACCOUNT_ID}.${randomBytes(32).toString('base64url')}`);
    const locker = await app.connect();
    await locker.query('begin');
    await locker.query('lock table api_key in access exclusive mode');
    // More than may wait.
    const flood = Array.from({ length: 400 }, invented);
    const statuses = new Set<number>();
    for (let count = 0; count < 5; count += 1) {
      const amended = await app.call('feedback', 'save', submission({ rating: 2, text: `Amended ${count}` }, { key }));
      const listed = await app.call('property', 'list', { accountId: ACCOUNT_ID }, admin);
      for (const { status } of [amended, listed]) statuses.add(status);
    }
    expect(statuses).toEqual(new Set([200]));
    expect(new Set((await Promise.all(flood)).map(({ body }) => body.code))).toEqual(new Set(['overloaded']));
    await locker.end();
    expect((await invented()).body.code).toBe('not-signed-in');
  });

  it('loses the rights that its admin loses', async () => {
    const key = await secretOf({ scopes: ['export'] });
    const archive = () => app.call('export', 'archive', { accountId: ACCOUNT_ID, zone: 'UTC' }, key);
    await app.stored(`update "user" set level = 'user' where id = $1`, [dana.id]);
    expect((await archive()).body.code).toBe('not-allowed');
    await app.stored(`update "user" set level = 'admin' where id = $1`, [dana.id]);
    expect((await archive()).status).toBe(200);
  });

  it('is refused while its admin is disabled', async () => {
    const key = await secretOf();
    const sub = dana.id.replace('USER_', '');
    await app.stored('update identity_user set enabled = false where sub = $1', [sub]);
    expect((await read(key)).status).not.toBe(200);
    await app.stored('update identity_user set enabled = true where sub = $1', [sub]);
    expect((await read(key)).status).toBe(200);
  });

  it('is limited by the hour', async () => {
    const { body } = await create();
    expect((await read(body.secret)).status).toBe(200);
    await app.stored('update rate_limit set count = 10000');
    const refused = await app.app.http.inject({
      method: 'POST',
      url: '/api/feedback/list',
      headers: { authorization: `Bearer ${body.secret}` },
      payload: { accountId: ACCOUNT_ID },
    });
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    await app.stored('truncate rate_limit');
  });
});

describe('an operation’s own address', () => {
  it('answers as /api/data does', async () => {
    const key = await secretOf();
    expect((await post('/api/feedback/list', key, { accountId: ACCOUNT_ID })).json()).toEqual((await read(key)).body);
    for (const body of [null, [], 'text', { accountId: ACCOUNT_ID, unknown: 1 }])
      expect((await post('/api/feedback/list', key, body)).json().code).toBe('bad-input');
    expect((await post('/api/feedback/list', key, { service: 'apiKey', accountId: ACCOUNT_ID })).statusCode).toBe(200);
    expect((await post('/api/feedback/constructor', key, {})).json().code).toBe('unknown-operation');
  });
});

describe('GET /api/openapi.json', () => {
  it('is valid OpenAPI 3.1, and has exactly what keys may call', async () => {
    const document = (await app.app.http.inject('/api/openapi.json')).json();
    const result = await new Validator().validate(document);
    expect([result.valid, result.errors]).toEqual([true, undefined]);
    expect(document.openapi).toBe('3.1.0');
    const operations = (await app.app.http.inject('/api/operations')).json();
    const callable = operations.filter(({ keyScope }: { keyScope?: string }) => keyScope !== undefined);
    expect(Object.keys(document.paths)).toEqual(callable.map(({ service, action }: Record<string, string>) => `/api/${service}/${action}`));
    const key = await secretOf({ scopes: [...KEY_SCOPES] });
    for (const [address, { post: operation }] of Object.entries<{
      post: { requestBody: { content: Record<string, { example: object }> } };
    }>(document.paths)) {
      const answer = await post(address, key, operation.requestBody.content['application/json']?.example);
      expect([200, 404, 409, 429], address).toContain(answer.statusCode);
    }
  });
});
