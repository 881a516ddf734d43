import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTestPool, PASSWORD, type PoolAnswer, type TestPool } from '../../../../test/support/identity.ts';
import { PATIENT } from '../../../../test/support/patience.ts';
import { isWeak } from '../secrets/passwords.ts';

let pool: TestPool;
beforeAll(async () => {
  pool = await openTestPool();
});
afterAll(() => pool.stop());

const WRONG = { __type: 'NotAuthorizedException', message: 'Incorrect username or password.' };

describe('signing in', () => {
  it('rejects a wrong password', async () => {
    const { email } = await pool.add();
    const { status, body } = await pool.signIn(email, { password: `${PASSWORD} ` });
    expect({ status, body }).toEqual({ status: 400, body: WRONG });
  });

  it('returns tokens and a device key', async () => {
    const { email } = await pool.add();
    const { status, body } = await pool.signIn(email.toUpperCase());
    expect(status).toBe(200);
    expect(body).toEqual({
      AuthenticationResult: {
        AccessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        IdToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        RefreshToken: expect.stringMatching(/^[\w-]{43}$/),
        ExpiresIn: 3600,
        TokenType: 'Bearer',
        NewDeviceMetadata: {
          DeviceKey: expect.stringMatching(/^us-west-2_[0-9a-f-]{36}$/),
          DeviceGroupKey: expect.stringMatching(/^-[0-9a-f]{9}$/),
        },
      },
      ChallengeParameters: {},
    });
  });

  it('returns tokens with Cognito’s claims', async () => {
    const { email, sub } = await pool.add();
    const { AccessToken, IdToken, NewDeviceMetadata } = (await pool.signIn(email)).body.AuthenticationResult;
    const { userPoolId, userPoolClientId } = pool.identity.config;
    const common = {
      sub,
      iss: `http://pool.test/api/identity/${userPoolId}`,
      origin_jti: expect.any(String),
      event_id: expect.any(String),
      auth_time: expect.any(Number),
      iat: expect.any(Number),
      exp: expect.any(Number),
      jti: expect.any(String),
    };
    const [accessHead, access = {}] = parts(AccessToken);
    const [idHead, id] = parts(IdToken);
    expect(accessHead).toEqual({ alg: 'RS256', kid: expect.any(String) });
    expect(idHead).toEqual(accessHead);
    expect(access).toEqual({
      ...common,
      client_id: userPoolClientId,
      token_use: 'access',
      scope: 'aws.cognito.signin.user.admin',
      username: sub,
      device_key: NewDeviceMetadata.DeviceKey,
    });
    expect(id).toEqual({
      ...common,
      aud: userPoolClientId,
      token_use: 'id',
      'cognito:username': sub,
      email,
      email_verified: true,
      name: 'Dana Moss',
    });
    expect(id).toMatchObject({ origin_jti: access['origin_jti'], event_id: access['event_id'], auth_time: access['auth_time'] });
    expect(id?.['jti']).not.toBe(access['jti']);
    expect(Number(access['exp']) - Number(access['iat'])).toBe(3600);
  });

  it('reveals the account’s status only with the right password', async () => {
    const states = [
      ["status = 'UNCONFIRMED'", 'UserNotConfirmedException', 'User is not confirmed.'],
      ["status = 'RESET_REQUIRED'", 'PasswordResetRequiredException', 'Password reset required for the user'],
      ['enabled = false', 'NotAuthorizedException', 'User is disabled.'],
    ];
    for (const [change, __type, message] of states) {
      const { email } = await pool.add();
      await pool.stored(`update identity_user set ${change} where email = $1`, [email]);
      expect((await pool.signIn(email, { password: 'not the password' })).body).toEqual(WRONG);
      expect((await pool.signIn(email)).body).toEqual({ __type, message });
    }
    expect(
      await pool.stored('select 1 from identity_session join identity_user using (sub) where status <> $1 or not enabled', ['CONFIRMED']),
    ).toEqual([]);
  });

  it('replaces a weak hash by one at today’s cost', async () => {
    const { email } = await pool.add();
    const weak = '$argon2id$v=19$m=8192,t=1,p=1$';
    await pool.stored('update identity_user set password = $2 where email = $1', [
      email,
      await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 }),
    ]);
    const read = async () =>
      (await pool.stored<{ password: string }>('select password from identity_user where email = $1', [email]))[0]?.password ?? '';
    expect(await read()).toContain(weak);
    expect((await pool.signIn(email, { password: 'not the password' })).status).toBe(400);
    expect(await read()).toContain(weak);
    expect((await pool.signIn(email)).status).toBe(200);
    expect(await read()).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    expect((await pool.signIn(email)).status).toBe(200);
  });

  it.each([
    ['costs 1 GiB', '$argon2id$v=19$m=1048576,t=30,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['is none', 'hello'],
  ])('treats a stored hash that %s as a wrong password, and logs it once', async (_name, stored) => {
    const second = await pool.openAnotherProcess();
    try {
      const [{ email }, unaffected] = [await second.add(), await second.add()];
      await second.stored('update identity_user set password = $2 where email = $1', [email, stored]);
      const answers = await Promise.all(Array.from({ length: 3 }, () => second.signIn(email)));
      expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [400, WRONG]));
      expect((await second.signIn(unaffected.email)).status).toBe(200);
      expect(second.log.filter((line) => line.includes('a stored password hash'))).toHaveLength(1);
    } finally {
      await second.stop();
    }
  });

  it.each([
    ['$argon2id$v=19$m=19456,t=2,p=1$', false],
    ['$argon2id$v=19$m=65536,t=3,p=4$', false],
    ['$argon2id$v=19$m=19455,t=2,p=1$', true],
    ['$argon2id$v=19$m=65536,t=1,p=1$', true],
    ['$argon2i$v=19$m=19456,t=2,p=1$', true],
  ])('rates a hash that begins with %s as weak: %s', (start, weak) => {
    expect(isWeak(`${start}AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`)).toBe(weak);
  });

  it('fails if the password changes while it is checked', async () => {
    const { email, sub } = await pool.add();
    const { signIn } = await pool.database.transaction({}, async (db) => {
      await db.$client.query('update identity_user set credential = credential + 1 where sub = $1', [sub]);
      const pending = { signIn: pool.signIn(email) };
      // The password has been checked, and the sign-in waits for this transaction's lock.
      const waiting = () => pool.stored("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");
      await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), PATIENT);
      return pending;
    });
    expect((await signIn).body).toEqual(WRONG);
    expect(await pool.stored('select 1 from identity_session where sub = $1', [sub])).toEqual([]);
    expect((await pool.signIn(email)).status).toBe(200);
  });

  it('rejects other flows and clients', async () => {
    const { userPoolClientId } = pool.identity.config;
    const begin = (AuthFlow: unknown, ClientId = userPoolClientId, AuthParameters: object = {}) =>
      pool.call('InitiateAuth', { AuthFlow, ClientId, AuthParameters });
    expect((await begin('USER_SRP_AUTH')).body).toEqual({
      __type: 'InvalidParameterException',
      message: 'USER_SRP_AUTH flow not enabled for this client',
    });
    expect((await begin('NO_SUCH')).body).toMatchObject({
      __type: 'InvalidParameterException',
      message: expect.stringContaining("Value at 'authFlow'"),
    });
    expect((await begin('USER_PASSWORD_AUTH', 'another')).body).toEqual({
      __type: 'ResourceNotFoundException',
      message: 'User pool client another does not exist.',
    });
    expect((await begin('USER_PASSWORD_AUTH')).body).toEqual({
      __type: 'InvalidParameterException',
      message: 'Missing required parameter USERNAME',
    });
    expect((await begin('REFRESH_TOKEN_AUTH')).body).toEqual({
      __type: 'InvalidParameterException',
      message: 'Missing required parameter REFRESH_TOKEN',
    });
  });
});

describe('an unknown address', () => {
  const strangers = (answer: PoolAnswer) => {
    const { 'x-amzn-requestid': _id, date: _date, ...headers } = answer.headers;
    return { status: answer.status, headers, text: answer.text };
  };

  it('gets the same response as a wrong password, locks included', async () => {
    const { email } = await pool.add();
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const knownAnswer = await pool.signIn(email, { password: 'not the password', from: '203.0.113.7' });
      const unknownAnswer = await pool.signIn('nobody@pool.test', { password: 'not the password', from: '203.0.113.8' });
      expect(strangers(unknownAnswer)).toEqual(strangers(knownAnswer));
      expect(knownAnswer.body.message).toBe(attempt < 5 ? WRONG.message : 'Password attempts exceeded');
    }
    const withDevice = { password: 'not the password', deviceKey: 'us-west-2_00000000-0000-4000-8000-000000000000', from: '203.0.114.9' };
    expect(strangers(await pool.signIn('nobody2@pool.test', withDevice))).toEqual(
      strangers(await pool.signIn((await pool.add()).email, withDevice)),
    );
  });

  it('takes as long as a known one', async () => {
    const knownTimes: number[] = [];
    const unknownTimes: number[] = [];
    // The minimum of many runs is the work alone. Without the extra work for unknown addresses the ratio is a quarter.
    const ratio = () => Math.min(...unknownTimes) / Math.min(...knownTimes);
    for (let round = 0; round < 40; round += 1) {
      const { email } = await pool.add();
      knownTimes.push(await timed(() => pool.signIn(email, { password: 'not the password', from: `192.0.2.${round}` })));
      unknownTimes.push(
        await timed(() => pool.signIn(`nobody${round}@pool.test`, { password: 'not the password', from: `192.0.2.${round}` })),
      );
    }
    expect(ratio()).toBeGreaterThan(0.6);
    expect(ratio()).toBeLessThan(1.6);
  });
});

describe('SignUp', () => {
  it('is refused by the protocol', async () => {
    const { body } = await pool.call('SignUp', {
      ClientId: pool.identity.config.userPoolClientId,
      Username: 'a@pool.test',
      Password: PASSWORD,
    });
    expect(body).toEqual({ __type: 'NotAuthorizedException', message: 'SignUp is not permitted for this user pool' });
  });
});

const parts = (token: string): Record<string, unknown>[] =>
  token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
