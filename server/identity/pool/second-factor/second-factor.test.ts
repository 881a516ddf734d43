import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CallOptions, openTestPool, type PoolAnswer, type TestPool } from '../../../../test/support/identity.ts';
import { oneTimePassword } from '../../../../test/support/one-time-password.ts';
import { secretFrom } from '../../../platform/secret.ts';
import { sealWith } from '../secrets/seal.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let pool: TestPool;
beforeAll(async () => {
  pool = await openTestPool();
});
beforeEach(() => pool.advance(2 * HOUR));
afterAll(() => pool.stop());

const said = ({ status, body }: PoolAnswer) => (status === 200 ? 'yes' : `${body.__type}: ${body.message}`);
const WRONG = 'CodeMismatchException: Invalid code received for user';
const USED = 'ExpiredCodeException: Your software token has already been used once.';
const NO_SESSION = 'NotAuthorizedException: Invalid session for the user.';
const OVER = 'NotAuthorizedException: Invalid session for the user, session is expired.';

const tokenOf = ({ body }: PoolAnswer): string => body.AuthenticationResult.AccessToken;
const set = (AccessToken: string, Enabled: boolean) =>
  pool.call('SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings: { Enabled, PreferredMfa: Enabled } });
const associate = (AccessToken: string) => pool.call('AssociateSoftwareToken', { AccessToken });
const verify = (AccessToken: string, UserCode: string) => pool.call('VerifySoftwareToken', { AccessToken, UserCode });
const code = (secret: string, steps = 0) => oneTimePassword(secret, pool, steps);
const unlike = (...codes: string[]) => ['000000', '111111', '222222', '333333', '444444'].find((each) => !codes.includes(each)) ?? '555555';
const wrong = (secret: string) => unlike(code(secret, -1), code(secret), code(secret, 1));

/** Somebody with an app, and the token of the session that set it up. */
async function guarded() {
  const person = await pool.add();
  const token = tokenOf(await pool.signIn(person.email));
  const secret: string = (await associate(token)).body.SecretCode;
  await verify(token, code(secret));
  await set(token, true);
  pool.advance(MINUTE);
  return { ...person, token, secret };
}

interface Answering extends CallOptions {
  readonly name?: string;
}
const challenged = async (email: string): Promise<string> => (await pool.signIn(email)).body.Session;
const answer = (
  email: string,
  Session: string,
  SOFTWARE_TOKEN_MFA_CODE: string,
  { name = 'SOFTWARE_TOKEN_MFA', ...options }: Answering = {},
) =>
  pool.call(
    'RespondToAuthChallenge',
    {
      ChallengeName: name,
      ClientId: pool.identity.config.userPoolClientId,
      Session,
      ChallengeResponses: { USERNAME: email, SOFTWARE_TOKEN_MFA_CODE },
    },
    options,
  );

describe('a second factor', () => {
  it('is set up with a secret that is shown once and sealed at rest', async () => {
    const { email, sub } = await pool.add();
    const token = tokenOf(await pool.signIn(email));
    const { SecretCode } = (await associate(token)).body;
    expect(SecretCode).toMatch(/^[A-Z2-7]{32}$/);
    const [row] = await pool.stored<{ secret: Buffer }>('select secret from identity_totp where sub = $1', [sub]);
    expect(row?.secret.toString('latin1')).not.toContain(SecretCode);
    expect(
      sealWith(secretFrom('another secret, thirty-two letters')).decrypt(row?.secret ?? Buffer.alloc(0), `second factor of ${sub}`),
    ).toBeUndefined();
    // Not used yet, it may be made anew; then the first is none any more.
    const next = (await associate(token)).body.SecretCode;
    expect(next).not.toBe(SecretCode);
    expect(said(await verify(token, code(SecretCode)))).toBe('EnableSoftwareTokenMFAException: Code mismatch');
    expect((await verify(token, code(next))).body).toEqual({ Status: 'SUCCESS' });
    await set(token, true);
    expect(said(await associate(token))).toBe(
      'InvalidParameterException: Software token MFA is on already. Turn it off to set it up anew.',
    );
    expect(said(await verify(token, code(next, 1)))).toMatch(/^InvalidParameterException/);
    expect(JSON.stringify((await pool.call('GetUser', { AccessToken: token })).body)).not.toContain(next);
  });

  it('is not on before the app has shown that it knows the secret', async () => {
    const token = tokenOf(await pool.signIn((await pool.add()).email));
    expect(said(await verify(token, '123456'))).toBe('SoftwareTokenMFANotFoundException: No software token has been set up.');
    expect(said(await set(token, true))).toBe('InvalidParameterException: User has not verified software token mfa');
    await associate(token);
    expect(said(await set(token, true))).toBe('InvalidParameterException: User has not verified software token mfa');
    expect(said(await pool.call('SetUserMFAPreference', { AccessToken: token, SMSMfaSettings: { Enabled: true } }))).toMatch(
      /^InvalidParameter/,
    );
    expect(said(await pool.call('SetUserMFAPreference', { AccessToken: token }))).toBe('yes');
  });

  it('asks after the right password only, and names nobody', async () => {
    const { email } = await guarded();
    expect(said(await pool.signIn(email, { password: 'not the password' }))).toBe(
      'NotAuthorizedException: Incorrect username or password.',
    );
    expect((await pool.signIn(email)).body).toEqual({
      ChallengeName: 'SOFTWARE_TOKEN_MFA',
      Session: expect.stringMatching(/^[\w-]{43}$/),
      ChallengeParameters: {},
    });
  });

  it('is asked for on a browser that is remembered, too', async () => {
    const { email, secret } = await guarded();
    const { AccessToken, NewDeviceMetadata } = (await answer(email, await challenged(email), code(secret))).body.AuthenticationResult;
    const { DeviceKey } = NewDeviceMetadata;
    await pool.call('ConfirmDevice', { AccessToken, DeviceKey });
    await pool.call('UpdateDeviceStatus', { AccessToken, DeviceKey, DeviceRememberedStatus: 'remembered' });
    pool.advance(MINUTE);
    const { Session } = (await pool.signIn(email, { deviceKey: DeviceKey })).body;
    const again = (await answer(email, Session, code(secret))).body.AuthenticationResult;
    expect(again).not.toHaveProperty('NewDeviceMetadata');
    expect(JSON.parse(Buffer.from(again.AccessToken.split('.')[1], 'base64url').toString()).device_key).toBe(DeviceKey);
  });

  it('survives two wrong ones, and not three', async () => {
    const { email, secret } = await guarded();
    const two = await challenged(email);
    expect(said(await answer(email, two, wrong(secret)))).toBe(WRONG);
    expect(said(await answer(email, two, wrong(secret)))).toBe(WRONG);
    expect(said(await answer(email, two, code(secret)))).toBe('yes');
    expect(said(await answer(email, two, code(secret, 1)))).toBe(NO_SESSION);
    pool.advance(HOUR);
    const three = await challenged(email);
    for (let attempt = 0; attempt < 3; attempt += 1) expect(said(await answer(email, three, wrong(secret)))).toBe(WRONG);
    expect(said(await answer(email, three, code(secret)))).toBe(NO_SESSION);
  });

  it('is over once it was right, and when it is turned off meanwhile', async () => {
    const { email, token, secret } = await guarded();
    const session = await challenged(email);
    expect(said(await answer(email, session, code(secret)))).toBe('yes');
    pool.advance(MINUTE);
    expect(said(await answer(email, session, code(secret)))).toBe(NO_SESSION);
    const waiting = await challenged(email);
    await set(token, false);
    expect(said(await answer(email, waiting, code(secret, 1)))).toBe(NO_SESSION);
    const { SecretCode } = (await associate(token)).body;
    await verify(token, code(SecretCode));
    expect(said(await answer(email, waiting, code(SecretCode, 1)))).toBe(NO_SESSION);
  });

  it('that was wrong twice each time is cleared when it is right', async () => {
    const { email, secret } = await guarded();
    for (let round = 0; round < 4; round += 1) {
      const session = await challenged(email);
      for (let attempt = 0; attempt < 2; attempt += 1) expect(said(await answer(email, session, wrong(secret)))).toBe(WRONG);
      expect(said(await answer(email, session, code(secret)))).toBe('yes');
      pool.advance(MINUTE);
    }
  });

  it('waits for three minutes', async () => {
    const { email, secret } = await guarded();
    const [early, late] = [await challenged(email), await challenged(email)];
    pool.advance(3 * MINUTE - 1_000);
    expect(said(await answer(email, early, code(secret)))).toBe('yes');
    pool.advance(1_100);
    expect(said(await answer(email, late, code(secret, 1)))).toBe(OVER);
  });

  it('takes each one-time password once, and none from before the last', async () => {
    const { email, secret } = await guarded();
    const next = code(secret, 1);
    const [one, two, three] = [await challenged(email), await challenged(email), await challenged(email)];
    expect(said(await answer(email, one, next))).toBe('yes');
    expect(said(await answer(email, two, next))).toBe(USED);
    expect(said(await answer(email, three, code(secret)))).toBe(USED);
    pool.advance(MINUTE);
    expect(said(await answer(email, two, code(secret)))).toBe('yes');
  });

  it('takes what an app shows whose clock is half a minute off, not more', async () => {
    const { email, secret } = await guarded();
    for (const [steps, outcome] of [
      [-2, WRONG],
      [2, WRONG],
      [-1, 'yes'],
      [1, 'yes'],
    ] as const) {
      pool.advance(2 * MINUTE);
      expect(said(await answer(email, await challenged(email), code(secret, steps)))).toBe(outcome);
    }
  });

  it('lets one of twenty in who come with the same one-time password at once', async () => {
    const { email, secret } = await guarded();
    const sessions = await Promise.all(Array.from({ length: 5 }, () => challenged(email)));
    const one = code(secret);
    const same = await challenged(email);
    const answers = await Promise.all([...sessions, same, same, same].map((each) => answer(email, each, one)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('answers a repeated call the same, and begins one session', async () => {
    const { email, sub, secret } = await guarded();
    const invocation = randomUUID();
    const [session, one] = [await challenged(email), code(secret)];
    const before = (await pool.stored('select 1 from identity_session where sub = $1', [sub])).length;
    const first = await answer(email, session, one, { invocation });
    expect(said(first)).toBe('yes');
    expect((await answer(email, session, one, { invocation })).text).toBe(first.text);
    expect(await pool.stored('select 1 from identity_session where sub = $1', [sub])).toHaveLength(before + 1);
  });

  it('is guessed at slowly by whoever has the password', async () => {
    const { email, secret } = await guarded();
    const outcomes: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const session = await challenged(email);
      for (let attempt = 0; attempt < 3; attempt += 1)
        outcomes.push(said(await answer(email, session, wrong(secret), { from: '203.0.113.5' })));
    }
    expect(outcomes.filter((each) => each === WRONG)).toHaveLength(5);
    expect(outcomes.slice(5)).toEqual(Array(7).fill('NotAuthorizedException: Password attempts exceeded'));
    expect(said(await answer(email, await challenged(email), code(secret), { from: '198.51.100.77' }))).toBe('yes');
  });

  it('is bound to person, password and client', async () => {
    const [one, two] = [await guarded(), await guarded()];
    const session = await challenged(one.email);
    expect(said(await answer(two.email, session, code(two.secret)))).toBe(NO_SESSION);
    expect(said(await answer(one.email, `${session}x`, code(one.secret)))).toBe(NO_SESSION);
    expect(said(await answer(one.email, session, code(one.secret), { name: 'SMS_MFA' }))).toMatch(/^InvalidParameterException/);
    await pool.stored('update identity_user set credential = credential + 1 where sub = $1', [one.sub]);
    expect(said(await answer(one.email, session, code(one.secret)))).toBe(NO_SESSION);
  });

  it('is not asked for a code that is none', async () => {
    const { email } = await guarded();
    for (const bad of ['', '12345', '1234567', 'abcdef', '12 345', '１２３４５６']) {
      expect(said(await answer(email, await challenged(email), bad))).toMatch(/^InvalidParameterException/);
    }
    const { userPoolClientId: ClientId } = pool.identity.config;
    const Session = await challenged(email);
    expect(said(await pool.call('RespondToAuthChallenge', { ChallengeName: 'SOFTWARE_TOKEN_MFA', ClientId, Session }))).toBe(
      'InvalidParameterException: Missing required parameter USERNAME',
    );
  });

  it('is not got around by a reset', async () => {
    const { email, secret } = await guarded();
    const { userPoolClientId: ClientId } = pool.identity.config;
    await pool.call('ForgotPassword', { ClientId, Username: email });
    const Password = 'a battery of correct horses';
    await pool.call('ConfirmForgotPassword', { ClientId, Username: email, ConfirmationCode: await pool.codeFor(email), Password });
    const { body } = await pool.signIn(email, { password: Password });
    expect(body).not.toHaveProperty('AuthenticationResult');
    expect(said(await answer(email, body.Session, code(secret)))).toBe('yes');
  });
});

describe('what guards an account', () => {
  const AGAIN = 'SignInAgainException: For your safety, enter your password again.';

  it('is not changed by a session alone that is a quarter of an hour old', async () => {
    const { token } = await guarded();
    const other = tokenOf(await pool.signIn((await pool.add()).email));
    const change = (AccessToken: string) =>
      pool.call('UpdateUserAttributes', { AccessToken, UserAttributes: [{ Name: 'email', Value: `${randomUUID()}@pool.test` }] });
    pool.advance(15 * MINUTE + 1);
    expect(said(await set(token, false))).toBe(AGAIN);
    expect(said(await associate(other))).toBe(AGAIN);
    expect(said(await change(other))).toBe(AGAIN);
    expect((await pool.call('GetUser', { AccessToken: token })).body).toMatchObject({ UserMFASettingList: ['SOFTWARE_TOKEN_MFA'] });
  });

  it('is forgotten when it is turned off', async () => {
    const { token, sub, email } = await guarded();
    expect(said(await set(token, false))).toBe('yes');
    expect(await pool.stored('select 1 from identity_totp where sub = $1', [sub])).toEqual([]);
    expect((await pool.signIn(email)).body).toHaveProperty('AuthenticationResult');
  });
});
