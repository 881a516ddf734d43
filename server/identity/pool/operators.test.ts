import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestPool, type TestPool, type WireTokens } from '../../../test/support/identity.ts';
import { oneTimePassword } from '../../../test/support/one-time-password.ts';
import { asPerson } from '../../platform/tenancy/access.ts';

const MINUTE = 60_000;
const OPERATOR = 'olga@pool.test';

let pool: TestPool;
let sub: string;
beforeAll(async () => {
  pool = await openTestPool({ settings: { OPERATOR_EMAILS: ` ${OPERATOR.toUpperCase()} , someone@else.test` } });
});
beforeEach(async () => {
  await pool.stored('delete from identity_user');
  pool.advance(60 * MINUTE);
  ({ sub } = await pool.add(OPERATOR));
});
afterAll(() => pool.stop());

const plain = async (email = OPERATOR): Promise<WireTokens> => (await pool.signIn(email)).body.AuthenticationResult;
const groupsIn = ({ AccessToken }: WireTokens): unknown =>
  JSON.parse(Buffer.from(AccessToken.split('.')[1] ?? '', 'base64url').toString())['cognito:groups'];
const set = ({ AccessToken }: WireTokens, Enabled: boolean) =>
  pool.call('SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings: { Enabled } });

async function setUp(pair: WireTokens): Promise<string> {
  const { SecretCode } = (await pool.call('AssociateSoftwareToken', pair)).body;
  await pool.call('VerifySoftwareToken', { ...pair, UserCode: oneTimePassword(SecretCode, pool) });
  await set(pair, true);
  return SecretCode;
}

async function withFactor(secret: string, email = OPERATOR): Promise<WireTokens> {
  pool.advance(MINUTE);
  const { Session } = (await pool.signIn(email)).body;
  const ChallengeResponses = { USERNAME: email, SOFTWARE_TOKEN_MFA_CODE: oneTimePassword(secret, pool) };
  const { userPoolClientId: ClientId } = pool.identity.config;
  return (await pool.call('RespondToAuthChallenge', { ChallengeName: 'SOFTWARE_TOKEN_MFA', ClientId, Session, ChallengeResponses })).body
    .AuthenticationResult;
}

/** Returns the outcome of an operation for operators. */
const asOperator = ({ AccessToken }: WireTokens, at = pool) =>
  asPerson(
    { ...at, authenticator: at.identity.authenticator },
    { authorization: `Bearer ${AccessToken}`, access: 'operator' },
    async () => 'in',
  ).catch((error: { code?: string }) => error.code ?? String(error));
const refreshed = async ({ RefreshToken }: WireTokens): Promise<WireTokens> =>
  (await pool.call('GetTokensFromRefreshToken', { ClientId: pool.identity.config.userPoolClientId, RefreshToken })).body
    .AuthenticationResult;

describe('an operator', () => {
  it('is rejected without a second factor', async () => {
    const pair = await plain();
    expect(groupsIn(pair)).toEqual(['operator-to-be']);
    expect(await asOperator(pair)).toBe('not-allowed');
  });

  it('is rejected if the settings don’t list the address', async () => {
    const { email } = await pool.add();
    const pair = await withFactor(await setUp(await plain(email)), email);
    expect(groupsIn(pair)).toBeUndefined();
    expect(await asOperator(pair)).toBe('not-allowed');
  });

  it('is accepted with the address in the settings and a second factor at this sign-in', async () => {
    const before = await plain();
    const secret = await setUp(before);
    expect(groupsIn(await refreshed(before))).toEqual(['operator-to-be']);
    const pair = await withFactor(secret);
    expect(groupsIn(pair)).toEqual(['operator']);
    expect(await asOperator(pair)).toBe('in');
    const later = await refreshed(pair);
    expect(groupsIn(later)).toEqual(['operator']);
    expect(await asOperator(later)).toBe('in');
    expect(await asOperator(before)).toBe('not-allowed');
  });

  it('is not made by a group in the database', async () => {
    await pool.stored("update identity_user set groups = '{operator,helpers}' where sub = $1", [sub]);
    expect(groupsIn(await plain())).toEqual(['helpers', 'operator-to-be']);
  });

  it.each<[string, (pair: WireTokens) => Promise<unknown>]>([
    ['the second factor is turned off', (pair) => set(pair, false)],
    ['the address is changed', () => pool.stored("update identity_user set email = 'moved@pool.test' where sub = $1", [sub])],
    ['the address is no longer confirmed', () => pool.stored('update identity_user set email_verified = false where sub = $1', [sub])],
  ])('is rejected at the very next request when %s', async (_name, change) => {
    const pair = await withFactor(await setUp(await plain()));
    expect(await asOperator(pair)).toBe('in');
    await change(pair);
    expect(await asOperator(pair)).toBe('not-allowed');
    expect(await pool.admitted(pair.AccessToken)).toBe(`USER_${sub}`);
    expect(groupsIn(await refreshed(pair)) ?? []).not.toContain('operator');
  });

  it('is rejected once the settings list someone else', async () => {
    const pair = await withFactor(await setUp(await plain()));
    const next = await pool.openAnotherProcess({ OPERATOR_EMAILS: 'someone@else.test' });
    try {
      expect(await asOperator(pair, next)).toBe('not-allowed');
    } finally {
      await next.stop();
    }
  });

  it('is rejected after signing out', async () => {
    const pair = await withFactor(await setUp(await plain()));
    await pool.call('GlobalSignOut', pair);
    expect(await asOperator(pair)).toBe('not-signed-in');
  });
});
