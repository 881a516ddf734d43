import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPool, PASSWORD, type TestPool } from '../../../test/support/identity.ts';
import { ACTIONS } from './endpoint.ts';

let pool: TestPool;
beforeAll(async () => {
  pool = await openTestPool();
});
afterAll(() => pool.stop());

const PREFIX = 'AWSCognitoIdentityProviderService.';
const JSON_1_1 = 'application/x-amz-json-1.1';

interface RawRequest {
  readonly target?: string | undefined;
  readonly type?: string | undefined;
  readonly payload?: string;
}
async function raw({ target = `${PREFIX}InitiateAuth`, type = JSON_1_1, payload = '{}' }: RawRequest, on = pool) {
  const headers = { ...(type !== '' && { 'content-type': type }), ...(target !== '' && { 'x-amz-target': target }) };
  const answer = await on.http.inject({ method: 'POST', url: '/api/identity', headers, ...(payload !== '' && { payload }) });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

describe('a malformed request', () => {
  it.each<[string, RawRequest, number, string]>([
    ['no action', { target: '' }, 400, 'UnknownOperationException'],
    ['an unknown action', { target: `${PREFIX}AdminGetUser` }, 400, 'UnknownOperationException'],
    ['an action of another service', { target: 'DynamoDB_20120810.GetItem' }, 400, 'UnknownOperationException'],
    ['a name that every object has', { target: `${PREFIX}constructor` }, 400, 'UnknownOperationException'],
    ['an empty body', { payload: '' }, 400, 'SerializationException'],
    ['an empty body without a type', { payload: '', type: '' }, 400, 'SerializationException'],
    ['half an object', { payload: '{"AuthFlow":' }, 400, 'SerializationException'],
    ['nested too deeply', { payload: `${'{"a":'.repeat(40)}1${'}'.repeat(40)}` }, 400, 'SerializationException'],
    ['too large', { payload: JSON.stringify({ AuthFlow: 'x'.repeat(17_000) }) }, 413, 'RequestEntityTooLargeException'],
    ['plain JSON', { type: 'application/json' }, 415, 'UnsupportedMediaTypeException'],
    ['a form', { type: 'application/x-www-form-urlencoded', payload: 'a=b' }, 415, 'UnsupportedMediaTypeException'],
    ['an invalid media type', { type: 'nonsense' }, 415, 'UnsupportedMediaTypeException'],
    ['a list', { payload: '[]' }, 400, 'InvalidParameterException'],
    ['null', { payload: 'null' }, 400, 'InvalidParameterException'],
    ['an empty object', { payload: '{}' }, 400, 'InvalidParameterException'],
  ])('is rejected in JSON, with a name: %s', async (_name, sent, status, type) => {
    const answer = await raw(sent);
    expect([answer.status, answer.body]).toEqual([status, { __type: type, message: expect.stringMatching(/./) }]);
    expect(answer.headers).toMatchObject({
      'content-type': JSON_1_1,
      'cache-control': 'no-store',
      'x-amzn-errortype': type,
      'x-amzn-requestid': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('is reported field by field', async () => {
    const { body } = await pool.call('ConfirmDevice', { DeviceKey: 'no key', DeviceName: '' });
    expect(body).toEqual({
      __type: 'InvalidParameterException',
      message: [
        "3 validation errors detected: Value at 'accessToken' failed to satisfy constraint: Member must not be null",
        "Value at 'deviceKey' failed to satisfy constraint: Member must satisfy regular expression pattern: ^[\\w-]+_[0-9a-f-]+$",
        "Value at 'deviceName' failed to satisfy constraint: Member must have length greater than or equal to 1",
      ].join('; '),
    });
    const { body: none } = await pool.call('GetUser', {});
    expect(none.message).toBe("1 validation error detected: Value at 'accessToken' failed to satisfy constraint: Member must not be null");
  });

  it.each(['dana\0@pool.test', 'dana @pool.test', '\ndana@pool.test', '', 'x'.repeat(255)])('is rejected for the name %j', async (name) => {
    const { status, body } = await pool.signIn(name);
    expect([status, body.__type]).toEqual([400, 'InvalidParameterException']);
    expect(body.message).toContain("Value at 'USERNAME' failed to satisfy constraint");
  });

  it('never gets a 500, whatever the action and body', async () => {
    const { email } = await pool.add();
    const { AccessToken, NewDeviceMetadata } = (await pool.signIn(email)).body.AuthenticationResult;
    // From a second session, because the first one has to last; so GlobalSignOut is left out, too.
    const { RefreshToken } = (await pool.signIn(email)).body.AuthenticationResult;
    const names = [...ACTIONS.keys()].filter((name) => name !== 'GlobalSignOut');
    const value = fc.oneof(
      fc.constantFrom<unknown>(AccessToken, RefreshToken, NewDeviceMetadata.DeviceKey, pool.identity.config.userPoolClientId, email),
      fc.constantFrom<unknown>('USER_PASSWORD_AUTH', 'REFRESH_TOKEN', 'remembered', 'a_\0', '\0', '\ud800', '', ' ', -1, 1e308, null, true),
      fc.constantFrom<unknown>('email', 'SOFTWARE_TOKEN_MFA', '123456', 'x'.repeat(43), PASSWORD, 'a battery of correct horses'),
      fc.constantFrom<unknown>([{ Name: 'email', Value: '\0' }], [{ Name: 'name', Value: '\ud800' }], [{ Name: '__proto__' }], {
        Enabled: true,
      }),
      fc.string({ unit: 'binary' }),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const fields = [
      'AccessToken',
      'ClientId',
      'AuthFlow',
      'RefreshToken',
      'Token',
      'DeviceKey',
      'DeviceName',
      'DeviceRememberedStatus',
      'Limit',
      'Username',
      'ConfirmationCode',
      'Password',
      'PreviousPassword',
      'ProposedPassword',
      'AttributeName',
      'Code',
      'UserCode',
      'UserAttributes',
      'SoftwareTokenMfaSettings',
      'ChallengeName',
      'Session',
    ];
    const parameters = fc.oneof(
      value,
      fc.dictionary(fc.constantFrom('USERNAME', 'PASSWORD', 'REFRESH_TOKEN', 'DEVICE_KEY', 'SOFTWARE_TOKEN_MFA_CODE', '__proto__'), value),
    );
    const secret = fc.oneof(value, fc.dictionary(fc.constantFrom('Salt', 'PasswordVerifier'), value));
    const body = fc
      .tuple(fc.dictionary(fc.constantFrom(...fields), value), parameters, secret)
      .map(([plain, AuthParameters, DeviceSecretVerifierConfig]) => ({
        ...plain,
        AuthParameters,
        ChallengeResponses: AuthParameters,
        DeviceSecretVerifierConfig,
      }));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), body, async (name, sent) => {
        // A valid token, so that the other fields are reached.
        const { status, body: answer } = await pool.call(name, { ...sent, ...('AccessToken' in sent && { AccessToken }) });
        expect(status).toBeLessThan(500);
        if (status !== 200) expect(answer).toEqual({ __type: expect.any(String), message: expect.any(String) });
      }),
      { numRuns: 1_000 },
    );
    expect((await pool.call('GetUser', { AccessToken })).status).toBe(200);
  });
});

describe('an internal error', () => {
  it('is reported in JSON, without the request in the log', async () => {
    const broken = await openTestPool();
    const { email } = await broken.add();
    await broken.stored('alter table identity_session rename to elsewhere');
    const { status, body, headers } = await broken.signIn(email);
    expect([status, body.__type, headers['x-amzn-errortype']]).toEqual([500, 'InternalErrorException', 'InternalErrorException']);
    expect(broken.log.some((line) => line.includes('a bug') && line.includes('42P01'))).toBe(true);
    expect(broken.log.join('')).not.toContain(email);
    await broken.stop();
  });

  it('asks for a retry while the database is down', async () => {
    const unreachablePool = await openTestPool();
    const { email } = await unreachablePool.add();
    await unreachablePool.stored(`do $$ begin execute format('alter database %I connection limit 0', current_database()); end $$`);
    await unreachablePool.stored(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    const { status, body, headers } = await unreachablePool.signIn(email);
    expect([status, body.__type]).toEqual([503, 'InternalErrorException']);
    expect(headers).toMatchObject({ 'retry-after': '2', 'content-type': JSON_1_1 });
    await unreachablePool.stored(`do $$ begin execute format('alter database %I connection limit -1', current_database()); end $$`);
    expect((await unreachablePool.signIn(email)).status).toBe(200);
    await unreachablePool.stop();
  });
});

describe('a retried call', () => {
  it('gets the first answer again and is done once', async () => {
    const { email, sub } = await pool.add();
    const invocation = randomUUID();
    const [first, ...retries] = await Promise.all(Array.from({ length: 4 }, () => pool.signIn(email, { invocation })));
    retries.push(await pool.signIn(email, { invocation }));
    expect(first?.status).toBe(200);
    for (const retry of retries) expect(retry.text).toBe(first?.text);
    expect(await pool.stored('select 1 from identity_session where sub = $1', [sub])).toHaveLength(1);
    pool.advance(61_000);
    expect((await pool.signIn(email, { invocation })).text).not.toBe(first?.text);
  });

  it('gets no cached answer without the password', async () => {
    const { email } = await pool.add();
    const invocation = randomUUID();
    expect((await pool.signIn(email, { invocation })).status).toBe(200);
    const { status, body } = await pool.signIn(email, { invocation, password: 'not the password' });
    expect([status, body.message]).toEqual([400, 'Incorrect username or password.']);
  });

  it('is done if the first call failed', async () => {
    const { email } = await pool.add();
    const invocation = randomUUID();
    await pool.stored('alter table identity_session rename to elsewhere');
    expect((await pool.signIn(email, { invocation })).status).toBe(500);
    await pool.stored('alter table elsewhere rename to identity_session');
    expect((await pool.signIn(email, { invocation })).status).toBe(200);
  });
});

describe('the log', () => {
  it('has a line for each call, without personal data or secrets', async () => {
    const { email, sub } = await pool.add();
    const secret = `canary ${randomUUID()}`;
    pool.log.length = 0;
    await pool.signIn(email, { password: secret });
    const { AccessToken, RefreshToken, IdToken } = (await pool.signIn(email)).body.AuthenticationResult;
    const ClientId = pool.identity.config.userPoolClientId;
    const { AuthenticationResult: next } = (await pool.call('GetTokensFromRefreshToken', { ClientId, RefreshToken })).body;
    await pool.call('GetUser', { AccessToken });
    await pool.call('RevokeToken', { ClientId, Token: RefreshToken });
    await raw({ payload: `{"Password":"${secret}"` });
    const lines = pool.log.map((line) => JSON.parse(line));
    expect(lines.filter(({ msg }) => msg === 'request').map(({ operation }) => operation)).toEqual([
      'identity.InitiateAuth',
      'identity.InitiateAuth',
      'identity.GetTokensFromRefreshToken',
      'identity.GetUser',
      'identity.RevokeToken',
      'identity.InitiateAuth',
    ]);
    expect(lines.find(({ msg }) => msg === 'a person signed in')).toMatchObject({ sub });
    expect(lines.find(({ msg }) => msg === 'a sign-in was refused')).toBeDefined();
    const text = pool.log.join('');
    for (const canary of [email, secret, PASSWORD, AccessToken, IdToken, RefreshToken, next.AccessToken, next.RefreshToken]) {
      expect(text).not.toContain(canary);
    }
  });
});
