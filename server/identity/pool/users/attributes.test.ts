import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeUntil, openTestPool, type PoolAnswer, type TestPool } from '../../../../test/support/identity.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let pool: TestPool;
let email: string;
let sub: string;
let AccessToken: string;
beforeAll(async () => {
  pool = await openTestPool();
});
beforeEach(async () => {
  pool.advance(2 * HOUR);
  ({ email, sub } = await pool.add());
  AccessToken = await signIn();
});
afterAll(() => pool.stop());

const signIn = async (): Promise<string> => (await pool.signIn(email)).body.AuthenticationResult.AccessToken;
const outcomeOf = ({ status, body }: PoolAnswer) => (status === 200 ? 'yes' : `${body.__type}: ${body.message}`);
const update = (attributes: Record<string, string>) =>
  pool.call('UpdateUserAttributes', { AccessToken, UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })) });
const verify = (Code: string) => pool.call('VerifyUserAttribute', { AccessToken, AttributeName: 'email', Code });
const resend = () => pool.call('GetUserAttributeVerificationCode', { AccessToken, AttributeName: 'email' });
const newEmail = () => `${randomUUID()}@pool.test`;
const names = async (of: string) => (await pool.mailsTo(of)).map(({ name }) => name);
const current = async () => (await pool.stored<{ email: string }>('select email from identity_user where sub = $1', [sub]))[0]?.email;

describe('attributes', () => {
  it.each([
    [{ email_verified: 'true' }, 'NotAuthorizedException: A client attempted to write unauthorized attribute'],
    [{ sub: randomUUID() }, 'NotAuthorizedException: A client attempted to write unauthorized attribute'],
    [{ 'cognito:groups': 'operator', name: 'Rosa' }, 'NotAuthorizedException: A client attempted to write unauthorized attribute'],
    [{ email: 'no address' }, 'InvalidParameterException: Invalid email address format.'],
    [{ email: 'dana@pool.test\r\nBcc: all@pool.test' }, 'InvalidParameterException: Invalid email address format.'],
    [{ name: '' }, 'InvalidParameterException: Invalid name format.'],
    [{ name: 'Dana <b>Moss</b>' }, 'InvalidParameterException: Invalid name format.'],
  ])('are rejected: %j', async (attributes, outcome) => {
    expect(outcomeOf(await update(attributes as Record<string, string>))).toBe(outcome);
    const { UserAttributes } = (await pool.call('GetUser', { AccessToken })).body;
    expect(UserAttributes).toContainEqual({ Name: 'name', Value: 'Dana Moss' });
  });

  it('change nothing if they are the same', async () => {
    expect((await update({ email: email.toUpperCase() })).body).toEqual({ CodeDeliveryDetailsList: [] });
    expect(await pool.mailsTo(email)).toEqual([]);
  });
});

describe('a new address', () => {
  it('takes effect with its code, which is mailed only there', async () => {
    const next = newEmail();
    expect((await update({ email: next.toUpperCase() })).body).toEqual({
      CodeDeliveryDetailsList: [{ AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: `${next.slice(0, 1)}***@p***` }],
    });
    expect(await current()).toBe(email);
    expect([await names(email), await names(next)]).toEqual([[], ['identity.address-code']]);
    expect(outcomeOf(await verify(await pool.codeFor(next)))).toBe('yes');
    expect(await current()).toBe(next);
    expect([await names(email), await names(next)]).toEqual([['identity.address-changed'], ['identity.address-code']]);
    expect(outcomeOf(await verify(await pool.codeFor(next)))).toMatch(/^ExpiredCode/);
  });

  it('gets the same answer if it is taken, and its owner gets a mail', async () => {
    const { email: existing } = await pool.add();
    const [first, second] = [await update({ email: newEmail() }), await update({ email: existing })];
    expect(second.text.replace(/\w\*\*\*@/, '')).toBe(first.text.replace(/\w\*\*\*@/, ''));
    expect(await names(existing)).toEqual(['identity.address-taken']);
    expect(outcomeOf(await verify('123456'))).toBe('CodeMismatchException: Invalid verification code provided, please try again.');
    expect(await current()).toBe(email);
  });

  it('is refused if someone else takes it first', async () => {
    const next = newEmail();
    await update({ email: next });
    await pool.add(next);
    expect(outcomeOf(await verify(await pool.codeFor(next)))).toBe('AliasExistsException: An account with the given email already exists.');
    expect(await current()).toBe(email);
  });

  it('replaces the one requested before, whose code stops working', async () => {
    const [first, second] = [newEmail(), newEmail()];
    await update({ email: first });
    const previous = await pool.codeFor(first);
    const askForSecond = async () => {
      await update({ email: second });
      return pool.codeFor(second);
    };
    const code = await makeUntil((newer) => newer !== previous, askForSecond);
    expect(outcomeOf(await verify(previous))).toMatch(/^CodeMismatch/);
    expect(outcomeOf(await verify(code))).toBe('yes');
    expect(await current()).toBe(second);
  });

  it('can be confirmed for a day', async () => {
    const next = newEmail();
    await update({ email: next });
    pool.advance(DAY + 1);
    AccessToken = await signIn();
    expect(outcomeOf(await verify(await pool.codeFor(next)))).toMatch(/^ExpiredCode/);
    expect(outcomeOf(await resend())).toBe('InvalidParameterException: No email address is waiting to be confirmed.');
  });

  it('can’t be confirmed after a password change', async () => {
    const next = newEmail();
    await update({ email: next });
    const { userPoolClientId: ClientId } = pool.identity.config;
    await pool.call('ForgotPassword', { ClientId, Username: email });
    const Password = 'a battery of correct horses';
    await pool.call('ConfirmForgotPassword', { ClientId, Username: email, ConfirmationCode: await pool.codeFor(email), Password });
    AccessToken = (await pool.signIn(email, { password: Password })).body.AuthenticationResult.AccessToken;
    expect(outcomeOf(await verify(await pool.codeFor(next)))).toMatch(/^ExpiredCode/);
    expect(await current()).toBe(email);
  });

  it('can be requested five times an hour, and its code again after 30 seconds', async () => {
    const next = newEmail();
    expect(outcomeOf(await resend())).toMatch(/^InvalidParameter/);
    await update({ email: next });
    expect(outcomeOf(await resend())).toBe('yes');
    expect(outcomeOf(await resend())).toMatch(/^LimitExceeded/);
    for (let count = 0; count < 4; count += 1) await update({ email: newEmail() });
    expect(outcomeOf(await update({ email: newEmail() }))).toMatch(/^LimitExceeded/);
  });

  it('allows five guesses at its code', async () => {
    const next = newEmail();
    await update({ email: next });
    const wrong = (await pool.codeFor(next)) === '123456' ? '654321' : '123456';
    const answers = await Promise.all(Array.from({ length: 40 }, () => verify(wrong)));
    expect(answers.filter((each) => outcomeOf(each).startsWith('CodeMismatch'))).toHaveLength(5);
    pool.advance(HOUR - 1);
    AccessToken = await signIn();
    pool.advance(2);
    expect(outcomeOf(await verify(await pool.codeFor(next)))).toMatch(/^ExpiredCode/);
  });
});

describe('a new password', () => {
  const change = (PreviousPassword: string, ProposedPassword: string) =>
    pool.call('ChangePassword', { AccessToken, PreviousPassword, ProposedPassword });

  it('can be set five times an hour by a session', async () => {
    const outcomes = [];
    for (let attempt = 0; attempt < 6; attempt += 1)
      outcomes.push(outcomeOf(await change('not the password', 'a battery of correct horses')));
    expect(outcomes.slice(0, 5)).toEqual(Array(5).fill('NotAuthorizedException: Incorrect username or password.'));
    expect(outcomes[5]).toMatch(/^LimitExceeded/);
  });

  it('is rejected if it is the name or the address', async () => {
    for (const weak of ['Dana Moss', 'danamoss', email]) {
      expect(outcomeOf(await change('correct horse battery', weak))).toBe(
        'InvalidPasswordException: Password did not conform with policy: Password too close to the user',
      );
    }
  });

  it('is set once by two concurrent changes', async () => {
    const answers = await Promise.all([
      change('correct horse battery', 'one battery of horses'),
      change('correct horse battery', 'two batteries of horses'),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await names(email)).toEqual(['identity.password-changed']);
  });
});
