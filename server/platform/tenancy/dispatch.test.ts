import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RefusalCode, refusal } from '#contract/core/errors.ts';
import { operation } from '#contract/core/operation.ts';
import { services } from '#contract/services.ts';
import { ACCOUNT_ID, dana, pier, sam } from '#fixtures/business.ts';
import { type Answered, answered, openTestApp, type TestApp } from '../../../test/support/app.ts';
import { submission } from '../../../test/support/submission.ts';
import * as users from '../../user/store.ts';
import { createDispatcher, type Member, SlowWork } from './dispatch.ts';

let app: TestApp;
let admin: string;
let member: string;
let port: number;
beforeAll(async () => {
  app = await openTestApp({ settings: { PORT: '0' } });
  [admin, member] = [await app.signIn(dana.data.emailAddress), await app.signIn(sam.data.emailAddress)];
  await app.app.http.listen({ host: '127.0.0.1', port: 0 });
  const address = app.app.http.server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(() => app.stop());

const post = async (payload: string, type = 'application/json'): Promise<Answered> =>
  answered(await app.app.http.inject({ method: 'POST', url: '/api/data', headers: { 'content-type': type }, payload }));

describe('an answer', () => {
  const list = (encoding: string) =>
    app.app.http.inject({
      method: 'POST',
      url: '/api/data',
      headers: { 'accept-encoding': encoding, authorization: `Bearer ${admin}` },
      payload: { service: 'feedback', action: 'list', accountId: ACCOUNT_ID },
    });

  it('is compressed if it is long and the client accepts it', async () => {
    const [plain, packed] = [await list(''), await list('gzip, br')];
    expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip']);
    expect(packed.headers['content-type']).toBe(plain.headers['content-type']);
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    expect(JSON.parse(gunzipSync(packed.rawPayload).toString())).toEqual(plain.json());
    const short = await app.app.http.inject({
      method: 'POST',
      url: '/api/data',
      headers: { 'accept-encoding': 'gzip' },
      payload: { service: 'feedback', action: 'save', ...submission({ rating: 4 }) },
    });
    expect([short.statusCode, short.headers['content-encoding']]).toEqual([200, undefined]);
  });
});

describe('an invalid request', () => {
  it.each([
    ['nothing', '', 'application/json', 400, 'bad-json'],
    ['half an object', '{"service":', 'application/json', 400, 'bad-json'],
    ['a list', '[]', 'application/json', 400, 'bad-input'],
    ['null', 'null', 'application/json', 400, 'bad-input'],
    ['a number for a service', '{"service":1,"action":"get"}', 'application/json', 400, 'bad-input'],
    ['an unknown service', '{"service":"weather","action":"get"}', 'application/json', 404, 'unknown-operation'],
    ['an unknown action', '{"service":"form","action":"explode"}', 'application/json', 404, 'unknown-operation'],
    ['a name that every object has', '{"service":"constructor","action":"toString"}', 'application/json', 404, 'unknown-operation'],
    ['a prototype', '{"service":"__proto__","action":"get"}', 'application/json', 404, 'unknown-operation'],
    ['another media type', 'service=form', 'text/plain', 415, 'not-json'],
    ['a form post', 'service=form&action=get', 'application/x-www-form-urlencoded', 415, 'not-json'],
    ['too much', JSON.stringify({ service: 'form', action: 'get', formId: 'x'.repeat(300_000) }), 'application/json', 413, 'too-large'],
    ['too deep', `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`, 'application/json', 400, 'too-complex'],
    ['too many parts', JSON.stringify(Array.from({ length: 2000 }, () => 0)), 'application/json', 400, 'too-complex'],
    ['a NUL', JSON.stringify({ service: 'form', action: 'get', formId: 'FORM_\0' }), 'application/json', 400, 'bad-input'],
    [
      'too long an id',
      JSON.stringify({ service: 'form', action: 'get', formId: 'FORM_aaaaaaaaaaaaaaaaaaaaaaaaaaa' }),
      'application/json',
      400,
      'bad-input',
    ],
  ])('is refused with a problem: %s', async (_name, payload, type, status, code) => {
    const answer = await post(payload, type);
    const { headers, body } = answer;
    expect([answer.status, body.code]).toEqual([status, code]);
    expect(headers['content-type']).toMatch('application/problem+json');
    expect(body).toMatchObject({ type: `urn:afterword:problem:${code}`, status, title: expect.any(String), requestId: expect.any(String) });
  });

  it('is never answered 500, whatever values it has', async () => {
    const garbage = [
      null,
      0,
      -1,
      1e308,
      '',
      'x',
      '\ud800',
      true,
      [],
      {},
      { a: 1 },
      [[]],
      '2026-01-01',
      'USER_',
      '../../etc/passwd',
      "' or 1=1 --",
    ];
    for (const [service, operations] of Object.entries(services)) {
      for (const action of Object.keys(operations)) {
        for (const value of garbage) {
          const sent = {
            accountId: value,
            userId: value,
            propertyId: value,
            formId: value,
            feedbackId: value,
            payload: value,
            from: value,
            to: value,
            cursor: value,
          };
          const { status } = await app.call(service, action, sent, admin);
          expect(status, `${service}.${action} with ${JSON.stringify(value)}`).toBeLessThan(500);
        }
      }
    }
  });

  it('that is not HTTP is answered with an error', async () => {
    expect(await raw('HELLO\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw(`GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
    expect((await app.call('form', 'get', { formId: pier.data.formId })).status).toBe(200);
  });
});

describe('access', () => {
  it('is checked before the input', async () => {
    for (const [service, operations] of Object.entries(services)) {
      for (const [action, { access }] of Object.entries(operations)) {
        if (access === 'visitor') continue;
        const { status, body } = await app.call(service, action, { nonsense: true });
        expect([status, body.code], `${service}.${action}`).toEqual([401, 'not-signed-in']);
      }
    }
  });

  it('refuses admins’ operations to members', async () => {
    const sent = { payload: { data: { displayName: 'New place' } } };
    expect((await app.call('property', 'save', sent, member)).body.code).toBe('not-allowed');
    expect((await app.call('property', 'save', sent, admin)).status).toBe(200);
  });

  it('answers for another account as for a missing one', async () => {
    for (const accountId of ['ACCOUNT_nobodyatall', 'ACCOUNT_HarborCoffe']) {
      for (const [service, action] of [
        ['account', 'get'],
        ['user', 'list'],
        ['property', 'list'],
        ['feedback', 'list'],
      ] as const) {
        const { status, body } = await app.call(service, action, { accountId }, admin);
        expect([status, body]).toEqual([404, { status: 'not found' }]);
      }
    }
    expect((await app.call('account', 'get', { accountId: ACCOUNT_ID }, admin)).status).toBe(200);
  });

  it('refuses fields that the server owns', async () => {
    const { status, body } = await app.call(
      'property',
      'save',
      { payload: { data: { displayName: 'X', accountId: 'ACCOUNT_other', author: sam.id } } },
      admin,
    );
    expect(status).toBe(400);
    expect(body.errors.map(({ path }: { path: string }) => path)).toContain('payload.data.accountId');
  });
});

describe('under load', () => {
  it('more callers than connections are all served', async () => {
    const calls = Array.from({ length: 45 }, (_, index) =>
      index % 3 === 0
        ? app.call('feedback', 'save', submission({ rating: 5 }))
        : app.call('feedback', 'list', { accountId: ACCOUNT_ID, limit: 5 }, index % 2 === 0 ? admin : member),
    );
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});

describe('every answer', () => {
  it('has the security headers', async () => {
    const { headers } = await post('{}');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('logs no personal data', async () => {
    await app.call(
      'feedback',
      'save',
      submission({
        rating: 1,
        text: 'CANARY-TEXT',
        contact: { answer: 'Yes', email: 'canary@example.org', name: 'CANARY-NAME', phone: '0401234599' },
      }),
    );
    await app.signIn(dana.data.emailAddress);
    await post('{"service":"CANARY-BODY"}');
    const log = app.log.join('');
    for (const secret of ['CANARY', 'canary@', '0401234599', dana.data.emailAddress, admin]) expect(log).not.toContain(secret);
    expect(log).toContain('feedback.save');
  });
});

describe('a refusal', () => {
  const unused = (): Promise<never> => Promise.reject(new Error('visitors do not sign in'));
  const refusing = (code: RefusalCode, production: boolean): Promise<unknown> =>
    createDispatcher({
      requireChangeable: async () => undefined,
      platform: { ...app.app.platform, config: { ...app.app.platform.config, production } },
      services: {
        weather: {
          get: operation({
            access: 'visitor',
            summary: 'Returns the weather.',
            refusals: { 'form-closed': 'At night.' },
            input: v.strictObject({}),
            answer: v.strictObject({}),
          }),
        },
      },
      handlers: { weather: { get: () => Promise.reject(refusal(code)) } },
      authenticator: { verifyToken: unused, findPerson: unused, addressOf: unused },
      audit: () => Promise.reject(new Error('nothing is recorded')),
      load: { shed: () => undefined },
    }).dispatch({
      body: { service: 'weather', action: 'get' },
      authorization: undefined,
      address: '127.0.0.1',
      network: undefined,
      trace: {},
    });

  it('is sent if the operation declares it or all operations have it', async () => {
    await expect(refusing('form-closed', false)).rejects.toMatchObject({ code: 'form-closed' });
    await expect(refusing('too-many', false)).rejects.toMatchObject({ code: 'too-many' });
  });

  it('that is undeclared fails as a bug, except in production', async () => {
    await expect(refusing('amend-closed', false)).rejects.toThrow('refuses amend-closed, which it does not declare');
    await expect(refusing('amend-closed', true)).rejects.toMatchObject({ code: 'amend-closed' });
  });
});

describe('slow work', () => {
  const greeting = operation({
    access: 'member',
    summary: 'Greets.',
    input: v.strictObject({}),
    answer: v.strictObject({ name: v.string() }),
  });
  const rename = ({ scope, person }: Member, name: string) => users.change(scope, person.userId, { displayName: name });
  const countNamed = async (name: string) =>
    (await app.stored('select 1 from "user" where id = $1 and display_name = $2', [sam.id, name])).length;
  let isSignedIn = true;
  const greet = (work: () => Promise<unknown>) =>
    createDispatcher({
      requireChangeable: async () => undefined,
      platform: app.app.platform,
      services: { greeting: { get: greeting } },
      handlers: {
        greeting: {
          get: async (member: Member) => {
            await rename(member, 'Sam before');
            return new SlowWork(async () => {
              await work();
              return async (again) => ({ name: (await rename(again, 'Sam after'))?.data.displayName });
            });
          },
        },
      },
      authenticator: {
        verifyToken: async () => ({ sub: '', userId: sam.id, family: '', groups: [], signedIn: undefined }),
        addressOf: async () => undefined,
        findPerson: async () =>
          isSignedIn ? { userId: sam.id, accountId: ACCOUNT_ID, level: 'user', emailAddress: '', isDeleted: false } : undefined,
      },
      audit: () => Promise.reject(new Error('nothing is recorded')),
      load: { shed: () => undefined },
    }).dispatch({
      body: { service: 'greeting', action: 'get' },
      authorization: 'Bearer sam',
      address: '127.0.0.1',
      network: undefined,
      trace: {},
    });

  it('runs between two transactions', async () => {
    const counts: number[] = [];
    const answer = await greet(async () => counts.push(await countNamed('Sam before'), await countNamed('Sam after')));
    expect([answer, counts, await countNamed('Sam after')]).toEqual([{ name: 'Sam after' }, [1, 0], 1]);
  });

  it('is refused afterwards if the person was signed out during it', async () => {
    const signOut = async () => {
      isSignedIn = false;
    };
    await expect(greet(signOut)).rejects.toMatchObject({ code: 'not-signed-in' });
    expect(await countNamed('Sam before')).toBe(1);
  });
});

describe('GET /api/operations', () => {
  it('lists each operation with its access and both schemas', async () => {
    const { body } = answered(await app.app.http.inject('/api/operations'));
    const declared = Object.entries(services).flatMap(([service, operations]) =>
      Object.keys(operations).map((action) => `${service}.${action}`),
    );
    expect(body.map(({ service, action }: { service: string; action: string }) => `${service}.${action}`)).toEqual(declared);
    for (const entry of body)
      expect(entry).toMatchObject({
        access: expect.any(String),
        summary: expect.any(String),
        sample: { service: entry.service, action: entry.action },
        input: expect.any(Object),
        answer: expect.any(Object),
        refusals: expect.arrayContaining([{ code: 'bad-input', status: 400, when: expect.any(String) }]),
      });
  });

  it('lists the refusals of each operation', async () => {
    const { body } = answered(await app.app.http.inject('/api/operations'));
    const codesOf = (name: string): string[] =>
      body
        .find(({ service, action }: { service: string; action: string }) => `${service}.${action}` === name)
        .refusals.map(({ code }: { code: string }) => code);
    expect(codesOf('form.get')).toContain('form-closed');
    expect(codesOf('form.get')).not.toContain('not-signed-in');
    expect(codesOf('account.startTrial')).toEqual(expect.arrayContaining(['conflict', 'not-allowed', 'not-signed-in']));
  });
});

/** Sends bytes that no client library would send, and returns the response. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}
