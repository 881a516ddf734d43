import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestPool, PASSWORD, type PoolAnswer, type TestPool, type WireTokens } from '../../../../test/support/identity.ts';
import type { Transaction } from '../../../platform/database/database.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

let pool: TestPool;
let email: string;
let sub: string;
beforeAll(async () => {
  pool = await openTestPool();
});
beforeEach(async () => {
  ({ email, sub } = await pool.add());
});
afterAll(() => pool.stop());

const signIn = async (): Promise<WireTokens> => (await pool.signIn(email)).body.AuthenticationResult;
const client = () => ({ ClientId: pool.identity.config.userPoolClientId });
const refresh = (RefreshToken: string, on = pool) => on.call('GetTokensFromRefreshToken', { ...client(), RefreshToken });
const refreshTheOldWay = (REFRESH_TOKEN: string, AuthFlow = 'REFRESH_TOKEN_AUTH') =>
  pool.call('InitiateAuth', { ...client(), AuthFlow, AuthParameters: { REFRESH_TOKEN } });
const pairOf = ({ body }: PoolAnswer): WireTokens => body.AuthenticationResult;
const no = ({ status, body }: PoolAnswer) => [status, body.__type, body.message];

const INVALID = [400, 'NotAuthorizedException', 'Invalid Refresh Token'];
const EXPIRED = [400, 'NotAuthorizedException', 'Refresh Token has expired'];
const REVOKED = [400, 'NotAuthorizedException', 'Refresh Token has been revoked'];
const REUSED = [400, 'RefreshTokenReuseException', 'Refresh token has been used already'];

describe('a refresh token', () => {
  it('is rejected if it is unknown', async () => {
    const { RefreshToken, AccessToken } = await signIn();
    for (const token of ['x', `${RefreshToken}x`, RefreshToken.slice(0, -1), RefreshToken.toLowerCase(), AccessToken, '\0']) {
      expect(no(await refresh(token))).toEqual(INVALID);
      expect(no(await refreshTheOldWay(token))).toEqual(INVALID);
    }
  });

  it('is stored as a hash only', async () => {
    const first = await signIn();
    const second = pairOf(await refresh(first.RefreshToken));
    const stored = JSON.stringify(
      await pool.stored('select t.*, s.* from identity_refresh_token t join identity_session s using (family)'),
    );
    const bytes = await pool.stored<{ hash: Buffer; salt: Buffer | null }>('select hash, salt from identity_refresh_token');
    for (const token of [first.RefreshToken, second.RefreshToken]) {
      expect(stored).not.toContain(token);
      expect(
        bytes.some(({ hash, salt }) => [hash, salt].some((each) => each?.toString('base64url') === token || each?.toString() === token)),
      ).toBe(false);
    }
  });

  it('is replaced at its use, and the new one works', async () => {
    const first = await signIn();
    const second = pairOf(await refresh(first.RefreshToken));
    expect(second).toMatchObject({ ExpiresIn: 3600, TokenType: 'Bearer', IdToken: expect.any(String) });
    expect(second.RefreshToken).not.toBe(first.RefreshToken);
    expect(second.AccessToken).not.toBe(first.AccessToken);
    expect(await pool.admitted(second.AccessToken)).toBe(`USER_${sub}`);
    pool.advance(HOUR);
    const third = pairOf(await refresh(second.RefreshToken));
    expect(third.RefreshToken).not.toBe(second.RefreshToken);
    expect(await pool.admitted(third.AccessToken)).toBe(`USER_${sub}`);
  });

  it('returns the same successor for a minute, concurrently and in every process', async () => {
    const { RefreshToken } = await signIn();
    const second = await pool.openAnotherProcess({ IDENTITY_SECRET: 'another secret, as long as it has to be' });
    try {
      const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => refresh(RefreshToken, index % 2 ? pool : second)));
      const successors = new Set(answers.map((answer) => pairOf(answer).RefreshToken));
      expect(successors.size).toBe(1);
      pool.advance(59 * SECOND);
      const [successor = ''] = successors;
      expect(pairOf(await refresh(RefreshToken)).RefreshToken).toBe(successor);
      expect(pairOf(await refresh(successor)).RefreshToken).toBe(successor);
      pool.advance(HOUR);
      expect((await refresh(successor)).status).toBe(200);
    } finally {
      await second.stop();
    }
  });

  it('ends its whole session when reused later', async () => {
    const first = await signIn();
    const second = pairOf(await refresh(first.RefreshToken));
    expect(await pool.admitted(second.AccessToken)).toBe(`USER_${sub}`);
    pool.advance(60 * SECOND);
    expect(no(await refresh(first.RefreshToken))).toEqual(REUSED);
    expect(no(await refresh(second.RefreshToken))).toEqual(REVOKED);
    expect(await pool.admitted(second.AccessToken)).toBe('not-signed-in');
    expect(no(await refresh(first.RefreshToken))).toEqual(REVOKED);
  });

  it('ends only its own session when reused by the older flow', async () => {
    const bystander = await signIn();
    const first = await signIn();
    await refresh(first.RefreshToken);
    pool.advance(60 * SECOND);
    expect(no(await refreshTheOldWay(first.RefreshToken))).toEqual(REUSED);
    expect(no(await refreshTheOldWay(first.RefreshToken, 'REFRESH_TOKEN'))).toEqual(REVOKED);
    expect((await refresh(bystander.RefreshToken)).status).toBe(200);
  });

  it('ends the session when a grandparent token is reused', async () => {
    const first = await signIn();
    const second = pairOf(await refresh(first.RefreshToken));
    pool.advance(HOUR);
    const third = pairOf(await refresh(second.RefreshToken));
    pool.advance(HOUR);
    expect(no(await refresh(first.RefreshToken))).toEqual(REUSED);
    expect(no(await refresh(third.RefreshToken))).toEqual(REVOKED);
  });

  it('is not rotated by the older flow', async () => {
    const { RefreshToken } = await signIn();
    for (const flow of ['REFRESH_TOKEN_AUTH', 'REFRESH_TOKEN']) {
      pool.advance(HOUR);
      const { body } = await refreshTheOldWay(RefreshToken, flow);
      expect(body).toEqual({
        AuthenticationResult: { AccessToken: expect.any(String), IdToken: expect.any(String), ExpiresIn: 3600, TokenType: 'Bearer' },
        ChallengeParameters: {},
      });
      expect(await pool.admitted(body.AuthenticationResult.AccessToken)).toBe(`USER_${sub}`);
    }
  });

  it('expires after seven days without use', async () => {
    const unusedSession = await signIn();
    const { RefreshToken } = await signIn();
    pool.advance(7 * DAY - SECOND);
    const usedSession = pairOf(await refresh(RefreshToken));
    pool.advance(2 * SECOND);
    expect(no(await refresh(unusedSession.RefreshToken))).toEqual(EXPIRED);
    expect((await refresh(usedSession.RefreshToken)).status).toBe(200);
  });

  it('expires thirty days after the sign-in, however often it is used', async () => {
    let { RefreshToken } = await signIn();
    for (let day = 0; day < 30; day += 6) {
      ({ RefreshToken } = pairOf(await refresh(RefreshToken)));
      pool.advance(6 * DAY - (day === 24 ? 2 * SECOND : 0));
    }
    const last = pairOf(await refresh(RefreshToken));
    pool.advance(3 * SECOND);
    expect(no(await refresh(last.RefreshToken))).toEqual(EXPIRED);
    expect(await pool.admitted(last.AccessToken)).toBe('not-signed-in');
  });

  it('is rejected for a disabled person and one who has to reset the password', async () => {
    const { RefreshToken, AccessToken } = await signIn();
    await pool.stored("update identity_user set status = 'RESET_REQUIRED' where sub = $1", [sub]);
    expect(no(await refresh(RefreshToken))[1]).toBe('PasswordResetRequiredException');
    await pool.stored("update identity_user set status = 'CONFIRMED', enabled = false where sub = $1", [sub]);
    expect(no(await refresh(RefreshToken))).toEqual([400, 'NotAuthorizedException', 'User is disabled.']);
    expect(await pool.admitted(AccessToken)).toBe('not-signed-in');
    await pool.stored('delete from identity_user where sub = $1', [sub]);
    expect(no(await refresh(RefreshToken))).toEqual(INVALID);
  });
});

describe('a session ended elsewhere', () => {
  const inTransaction = <T>(work: (db: Transaction) => Promise<T>): Promise<T> => pool.database.transaction({}, work);
  /** Runs work as one of two sessions, and returns what each browser's refresh gets after it. */
  async function refreshAfter(work: (mine: WireTokens, target: WireTokens) => Promise<unknown>) {
    const [target, mine] = [await signIn(), await signIn()];
    await work(mine, target);
    return { ended: no(await refresh(target.RefreshToken)), mine: no(await refresh(mine.RefreshToken)) };
  }
  const revokedBecause = (reason: string) => [400, 'NotAuthorizedException', `Refresh Token has been revoked: ${reason}`];

  it('gives a global sign-out as the reason, except to the browser that did it', async () => {
    const { ended, mine } = await refreshAfter(({ AccessToken }) => pool.call('GlobalSignOut', { AccessToken }));
    expect(ended).toEqual(revokedBecause('signed-out'));
    expect(mine).toEqual(REVOKED);
  });

  it('gives its own end as the reason', async () => {
    const { ended, mine } = await refreshAfter((_mine, target) =>
      inTransaction((db) => pool.identity.endSession(db, { sub, id: familyOf(target.AccessToken) })),
    );
    expect(ended).toEqual(revokedBecause('signed-out'));
    expect(mine[0]).toBe(200);
  });

  it('gives a password change as the reason', async () => {
    const passwords = { PreviousPassword: PASSWORD, ProposedPassword: 'another harbor at night' };
    const { ended, mine } = await refreshAfter(({ AccessToken }) => pool.call('ChangePassword', { AccessToken, ...passwords }));
    expect(ended).toEqual(revokedBecause('password-changed'));
    expect(mine[0]).toBe(200);
  });

  it('gives a second factor reset as the reason', async () => {
    const { ended } = await refreshAfter(async () => {
      await pool.stored("insert into identity_totp (sub, secret, verified, enabled) values ($1, 'x', true, true)", [sub]);
      await inTransaction((db) => pool.identity.resetSecondFactor(db, sub));
    });
    expect(ended).toEqual(revokedBecause('second-factor-reset'));
  });
});

const familyOf = (token: string): string => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).origin_jti;

describe('signing out', () => {
  it('ends the session with any of its tokens, and no other session', async () => {
    const otherSession = await signIn();
    const first = await signIn();
    const second = pairOf(await refresh(first.RefreshToken));
    expect((await pool.call('RevokeToken', { ...client(), Token: first.RefreshToken })).body).toEqual({});
    expect(await pool.admitted(second.AccessToken)).toBe('not-signed-in');
    expect(no(await refresh(second.RefreshToken))).toEqual(REVOKED);
    expect(await pool.admitted(otherSession.AccessToken)).toBe(`USER_${sub}`);
  });

  it('accepts an unknown token, but not one of another kind', async () => {
    const { AccessToken } = await signIn();
    expect((await pool.call('RevokeToken', { ...client(), Token: 'unknown' })).body).toEqual({});
    expect((await pool.call('RevokeToken', { ...client(), Token: AccessToken })).body.__type).toBe('UnsupportedTokenTypeException');
  });

  it('everywhere ends all sessions of the person only', async () => {
    const firstSession = await signIn();
    const secondSession = await signIn();
    const otherUser = await pool.add();
    const otherUserSession = (await pool.signIn(otherUser.email)).body.AuthenticationResult;
    expect((await pool.call('GlobalSignOut', { AccessToken: firstSession.AccessToken })).body).toEqual({});
    expect(no(await refresh(secondSession.RefreshToken))).toEqual([...REVOKED.slice(0, 2), 'Refresh Token has been revoked: signed-out']);
    expect(no(await pool.call('GetUser', { AccessToken: secondSession.AccessToken }))).toEqual([
      400,
      'NotAuthorizedException',
      'Access Token has been revoked',
    ]);
    expect(await pool.admitted(otherUserSession.AccessToken)).toBe(`USER_${otherUser.sub}`);
  });
});

describe('the data API', () => {
  it('applies a removal or a demotion at once', async () => {
    const { AccessToken } = await signIn();
    const level = () =>
      pool.database.transaction({ 'app.user_id': `USER_${sub}` }, async (db) => {
        const { authenticator } = pool.identity;
        return (await authenticator.findPerson(db, await authenticator.verifyToken(AccessToken)))?.level;
      });
    expect(await level()).toBe('admin');
    await pool.stored(`update "user" set level = 'user' where id = $1`, [`USER_${sub}`]);
    expect(await level()).toBe('user');
    await pool.stored('delete from "user" where id = $1', [`USER_${sub}`]);
    expect(await level()).toBeUndefined();
  });

  it('reads the person with one prepared statement, and only in their own transaction', async () => {
    const { AccessToken } = await signIn();
    const claims = await pool.identity.authenticator.verifyToken(AccessToken);
    const queries: unknown[] = [];
    const person = await pool.database.transaction({ 'app.user_id': claims.userId }, async (db) => {
      const query = db.$client.query.bind(db.$client);
      const countedQuery = (...sent: Parameters<typeof query>) => {
        queries.push(sent);
        return query(...sent);
      };
      Object.assign(db.$client, { query: countedQuery });
      const person = await pool.identity.authenticator.findPerson(db, claims);
      Object.assign(db.$client, { query });
      return person;
    });
    expect(person).toMatchObject({ userId: `USER_${sub}`, level: 'admin' });
    expect(queries).toEqual([[expect.objectContaining({ name: 'holder of a session' }), expect.anything()]]);
    const asAnotherPerson = await pool.database.transaction({ 'app.user_id': 'USER_of-another' }, (db) =>
      pool.identity.authenticator.findPerson(db, claims),
    );
    expect(asAnotherPerson).toBeUndefined();
  });
});
