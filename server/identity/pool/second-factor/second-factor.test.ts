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

const outcomeOf = ({ status, body }: PoolAnswer) => (status === 200 ? 'yes' : `${body.__type}: ${body.message}`);
const WRONG = 'CodeMismatchException: Invalid code received for user';
const USED = 'ExpiredCodeException: Your software token has already been used once.';
const NO_SESSION = 'NotAuthorizedException: Invalid session for the user.';
const SESSION_EXPIRED = 'NotAuthorizedException: Invalid session for the user, session is expired.';

const tokenOf = ({ body }: PoolAnswer): string => body.AuthenticationResult.AccessToken;
const set = (AccessToken: string, Enabled: boolean) =>
  pool.call('SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings: { Enabled, PreferredMfa: Enabled } });
const associate = (AccessToken: string) => pool.call('AssociateSoftwareToken', { AccessToken });
const verify = (AccessToken: string, UserCode: string) => pool.call('VerifySoftwareToken', { AccessToken, UserCode });
const code = (secret: string, steps = 0) => oneTimePassword(secret, pool, steps);
const otherCode = (...codes: string[]) =>
  ['000000', '111111', '222222', '333333', '444444'].find((each) => !codes.includes(each)) ?? '555555';
const wrong = (secret: string) => otherCode(code(secret, -1), code(secret), code(secret, 1));

/** Adds a person with an app, and returns the token of the session that set it up. */
async function addWithApp() {
  const person = await pool.add();
  const token = tokenOf(await pool.signIn(person.email));
  const secret: string = (await associate(token)).body.SecretCode;
  await verify(token, code(secret));
  await set(token, true);
  pool.advance(MINUTE);
  return { ...person, token, secret };
}

interface AnswerOptions extends CallOptions {
  readonly name?: string;
}
const challenge = async (email: string): Promise<string> => (await pool.signIn(email)).body.Session;
const answer = (
  email: string,
  Session: string,
  SOFTWARE_TOKEN_MFA_CODE: string,
  { name = 'SOFTWARE_TOKEN_MFA', ...options }: AnswerOptions = {},
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
  it('is set up with a secret that is shown once and stored encrypted', async () => {
    const { email, sub } = await pool.add();
    const token = tokenOf(await pool.signIn(email));
    const { SecretCode } = (await associate(token)).body;
    expect(SecretCode).toMatch(/^[A-Z2-7]{32}$/);
    const [row] = await pool.stored<{ secret: Buffer }>('select secret from identity_totp where sub = $1', [sub]);
    expect(row?.secret.toString('latin1')).not.toContain(SecretCode);
    expect(
      sealWith(secretFrom('another secret, thirty-two letters')).decrypt(row?.secret ?? Buffer.alloc(0), `second factor of ${sub}`),
    ).toBeUndefined();
    // Not in use yet, so it can be created again, which invalidates the first one.
    const next = (await associate(token)).body.SecretCode;
    expect(next).not.toBe(SecretCode);
    expect(outcomeOf(await verify(token, code(SecretCode)))).toBe('EnableSoftwareTokenMFAException: Code mismatch');
    expect((await verify(token, code(next))).body).toEqual({ Status: 'SUCCESS' });
    await set(token, true);
    expect(outcomeOf(await associate(token))).toBe(
      'InvalidParameterException: Software token MFA is already on. Turn it off to set it up again.',
    );
    expect(outcomeOf(await verify(token, code(next, 1)))).toMatch(/^InvalidParameterException/);
    expect(JSON.stringify((await pool.call('GetUser', { AccessToken: token })).body)).not.toContain(next);
  });

  it('can’t be turned on before the app has proved that it has the secret', async () => {
    const token = tokenOf(await pool.signIn((await pool.add()).email));
    expect(outcomeOf(await verify(token, '123456'))).toBe('SoftwareTokenMFANotFoundException: No software token has been set up.');
    expect(outcomeOf(await set(token, true))).toBe('InvalidParameterException: User has not verified software token mfa');
    await associate(token);
    expect(outcomeOf(await set(token, true))).toBe('InvalidParameterException: User has not verified software token mfa');
    expect(outcomeOf(await pool.call('SetUserMFAPreference', { AccessToken: token, SMSMfaSettings: { Enabled: true } }))).toMatch(
      /^InvalidParameter/,
    );
    expect(outcomeOf(await pool.call('SetUserMFAPreference', { AccessToken: token }))).toBe('yes');
  });

  it('is asked for only after the right password, without a user name', async () => {
    const { email } = await addWithApp();
    expect(outcomeOf(await pool.signIn(email, { password: 'not the password' }))).toBe(
      'NotAuthorizedException: Incorrect username or password.',
    );
    expect((await pool.signIn(email)).body).toEqual({
      ChallengeName: 'SOFTWARE_TOKEN_MFA',
      Session: expect.stringMatching(/^[\w-]{43}$/),
      ChallengeParameters: {},
    });
  });

  it('is asked for on a remembered browser, too', async () => {
    const { email, secret } = await addWithApp();
    const { AccessToken, NewDeviceMetadata } = (await answer(email, await challenge(email), code(secret))).body.AuthenticationResult;
    const { DeviceKey } = NewDeviceMetadata;
    await pool.call('ConfirmDevice', { AccessToken, DeviceKey });
    await pool.call('UpdateDeviceStatus', { AccessToken, DeviceKey, DeviceRememberedStatus: 'remembered' });
    pool.advance(MINUTE);
    const { Session } = (await pool.signIn(email, { deviceKey: DeviceKey })).body;
    const again = (await answer(email, Session, code(secret))).body.AuthenticationResult;
    expect(again).not.toHaveProperty('NewDeviceMetadata');
    expect(JSON.parse(Buffer.from(again.AccessToken.split('.')[1], 'base64url').toString()).device_key).toBe(DeviceKey);
  });

  it('allows two wrong codes per challenge, not three', async () => {
    const { email, secret } = await addWithApp();
    const second = await challenge(email);
    expect(outcomeOf(await answer(email, second, wrong(secret)))).toBe(WRONG);
    expect(outcomeOf(await answer(email, second, wrong(secret)))).toBe(WRONG);
    expect(outcomeOf(await answer(email, second, code(secret)))).toBe('yes');
    expect(outcomeOf(await answer(email, second, code(secret, 1)))).toBe(NO_SESSION);
    pool.advance(HOUR);
    const third = await challenge(email);
    for (let attempt = 0; attempt < 3; attempt += 1) expect(outcomeOf(await answer(email, third, wrong(secret)))).toBe(WRONG);
    expect(outcomeOf(await answer(email, third, code(secret)))).toBe(NO_SESSION);
  });

  it('ends its challenge with a right code, and when it is turned off', async () => {
    const { email, token, secret } = await addWithApp();
    const session = await challenge(email);
    expect(outcomeOf(await answer(email, session, code(secret)))).toBe('yes');
    pool.advance(MINUTE);
    expect(outcomeOf(await answer(email, session, code(secret)))).toBe(NO_SESSION);
    const waiting = await challenge(email);
    await set(token, false);
    expect(outcomeOf(await answer(email, waiting, code(secret, 1)))).toBe(NO_SESSION);
    const { SecretCode } = (await associate(token)).body;
    await verify(token, code(SecretCode));
    expect(outcomeOf(await answer(email, waiting, code(SecretCode, 1)))).toBe(NO_SESSION);
  });

  it('clears failures with a right code', async () => {
    const { email, secret } = await addWithApp();
    for (let round = 0; round < 4; round += 1) {
      const session = await challenge(email);
      for (let attempt = 0; attempt < 2; attempt += 1) expect(outcomeOf(await answer(email, session, wrong(secret)))).toBe(WRONG);
      expect(outcomeOf(await answer(email, session, code(secret)))).toBe('yes');
      pool.advance(MINUTE);
    }
  });

  it('can be answered for three minutes', async () => {
    const { email, secret } = await addWithApp();
    const [early, late] = [await challenge(email), await challenge(email)];
    pool.advance(3 * MINUTE - 1_000);
    expect(outcomeOf(await answer(email, early, code(secret)))).toBe('yes');
    pool.advance(1_100);
    expect(outcomeOf(await answer(email, late, code(secret, 1)))).toBe(SESSION_EXPIRED);
  });

  it('accepts each one-time password once, and none older than the last', async () => {
    const { email, secret } = await addWithApp();
    const next = code(secret, 1);
    const [first, second, third] = [await challenge(email), await challenge(email), await challenge(email)];
    expect(outcomeOf(await answer(email, first, next))).toBe('yes');
    expect(outcomeOf(await answer(email, second, next))).toBe(USED);
    expect(outcomeOf(await answer(email, third, code(secret)))).toBe(USED);
    pool.advance(MINUTE);
    expect(outcomeOf(await answer(email, second, code(secret)))).toBe('yes');
  });

  it('accepts an app whose clock is at most 30 seconds off', async () => {
    const { email, secret } = await addWithApp();
    for (const [steps, outcome] of [
      [-2, WRONG],
      [2, WRONG],
      [-1, 'yes'],
      [1, 'yes'],
    ] as const) {
      pool.advance(2 * MINUTE);
      expect(outcomeOf(await answer(email, await challenge(email), code(secret, steps)))).toBe(outcome);
    }
  });

  it('accepts one of many concurrent answers with the same one-time password', async () => {
    const { email, secret } = await addWithApp();
    const sessions = await Promise.all(Array.from({ length: 5 }, () => challenge(email)));
    const password = code(secret);
    const session = await challenge(email);
    const answers = await Promise.all([...sessions, session, session, session].map((each) => answer(email, each, password)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('answers a retry the same, and begins one session', async () => {
    const { email, sub, secret } = await addWithApp();
    const invocation = randomUUID();
    const [session, password] = [await challenge(email), code(secret)];
    const before = (await pool.stored('select 1 from identity_session where sub = $1', [sub])).length;
    const first = await answer(email, session, password, { invocation });
    expect(outcomeOf(first)).toBe('yes');
    expect((await answer(email, session, password, { invocation })).text).toBe(first.text);
    expect(await pool.stored('select 1 from identity_session where sub = $1', [sub])).toHaveLength(before + 1);
  });

  it('limits guesses by someone who has the password', async () => {
    const { email, secret } = await addWithApp();
    const outcomes: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const session = await challenge(email);
      for (let attempt = 0; attempt < 3; attempt += 1)
        outcomes.push(outcomeOf(await answer(email, session, wrong(secret), { from: '203.0.113.5' })));
    }
    expect(outcomes.filter((each) => each === WRONG)).toHaveLength(5);
    expect(outcomes.slice(5)).toEqual(Array(7).fill('NotAuthorizedException: Password attempts exceeded'));
    expect(outcomeOf(await answer(email, await challenge(email), code(secret), { from: '198.51.100.77' }))).toBe('yes');
  });

  it('is bound to person, password and client', async () => {
    const [first, second] = [await addWithApp(), await addWithApp()];
    const session = await challenge(first.email);
    expect(outcomeOf(await answer(second.email, session, code(second.secret)))).toBe(NO_SESSION);
    expect(outcomeOf(await answer(first.email, `${session}x`, code(first.secret)))).toBe(NO_SESSION);
    expect(outcomeOf(await answer(first.email, session, code(first.secret), { name: 'SMS_MFA' }))).toMatch(/^InvalidParameterException/);
    await pool.stored('update identity_user set credential = credential + 1 where sub = $1', [first.sub]);
    expect(outcomeOf(await answer(first.email, session, code(first.secret)))).toBe(NO_SESSION);
  });

  it('rejects a malformed code', async () => {
    const { email } = await addWithApp();
    for (const bad of ['', '12345', '1234567', 'abcdef', '12 345', '１２３４５６']) {
      expect(outcomeOf(await answer(email, await challenge(email), bad))).toMatch(/^InvalidParameterException/);
    }
    const { userPoolClientId: ClientId } = pool.identity.config;
    const Session = await challenge(email);
    expect(outcomeOf(await pool.call('RespondToAuthChallenge', { ChallengeName: 'SOFTWARE_TOKEN_MFA', ClientId, Session }))).toBe(
      'InvalidParameterException: Missing required parameter USERNAME',
    );
  });

  it('is still required after a password reset', async () => {
    const { email, secret } = await addWithApp();
    const { userPoolClientId: ClientId } = pool.identity.config;
    await pool.call('ForgotPassword', { ClientId, Username: email });
    const Password = 'a battery of correct horses';
    await pool.call('ConfirmForgotPassword', { ClientId, Username: email, ConfirmationCode: await pool.codeFor(email), Password });
    const { body } = await pool.signIn(email, { password: Password });
    expect(body).not.toHaveProperty('AuthenticationResult');
    expect(outcomeOf(await answer(email, body.Session, code(secret)))).toBe('yes');
  });
});

describe('account security', () => {
  const SIGN_IN_AGAIN = 'SignInAgainException: For your safety, enter your password again.';

  it('can’t be changed by a session older than 15 minutes', async () => {
    const { token } = await addWithApp();
    const otherToken = tokenOf(await pool.signIn((await pool.add()).email));
    const change = (AccessToken: string) =>
      pool.call('UpdateUserAttributes', { AccessToken, UserAttributes: [{ Name: 'email', Value: `${randomUUID()}@pool.test` }] });
    pool.advance(15 * MINUTE + 1);
    expect(outcomeOf(await set(token, false))).toBe(SIGN_IN_AGAIN);
    expect(outcomeOf(await associate(otherToken))).toBe(SIGN_IN_AGAIN);
    expect(outcomeOf(await change(otherToken))).toBe(SIGN_IN_AGAIN);
    expect((await pool.call('GetUser', { AccessToken: token })).body).toMatchObject({ UserMFASettingList: ['SOFTWARE_TOKEN_MFA'] });
  });

  it('is deleted when it is turned off', async () => {
    const { token, sub, email } = await addWithApp();
    expect(outcomeOf(await set(token, false))).toBe('yes');
    expect(await pool.stored('select 1 from identity_totp where sub = $1', [sub])).toEqual([]);
    expect((await pool.signIn(email)).body).toHaveProperty('AuthenticationResult');
  });
});
