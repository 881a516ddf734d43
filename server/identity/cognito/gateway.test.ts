import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ACCOUNT_ID } from '#fixtures/business.ts';
import { CLIENT_ID, type CognitoStandIn, openCognito, POOL_ID } from '../../../test/support/cognito.ts';
import { openTestPool, PASSWORD, type TestPool } from '../../../test/support/identity.ts';
import { asPerson, inAccount } from '../../kernel/access.ts';
import { readConfig } from '../../kernel/config.ts';
import type { Transaction } from '../../kernel/database.ts';
import * as teams from '../../user/store.ts';

let cognito: CognitoStandIn;
let pool: TestPool;
let ahead = 0;
beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'of-a-test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'of-a-test');
  cognito = await openCognito(() => Date.now() + ahead);
  pool = await openTestPool({
    settings: {
      IDENTITY: 'cognito',
      COGNITO_USER_POOL_ID: POOL_ID,
      COGNITO_CLIENT_ID: CLIENT_ID,
      COGNITO_ENDPOINT: cognito.url,
      OPERATOR_EMAILS: 'olga@pool.test',
    },
  });
});
beforeEach(() => {
  cognito.asked.length = 0;
  cognito.keys = 'there';
  cognito.trouble.clear();
});
afterAll(async () => {
  await pool.stop();
  await cognito.stop();
  vi.unstubAllEnvs();
});

const within = <T>(work: (db: Transaction) => Promise<T>): Promise<T> => pool.database.transaction({}, work);
const newEmail = () => `${randomUUID()}@pool.test`;
const signUp = (email = newEmail(), changes: { confirmed?: boolean; password?: string } = {}) =>
  within((db) =>
    pool.identity.signUp(db, { sub: randomUUID(), email, name: 'Rosa Diaz', password: PASSWORD, confirmed: false, ...changes }),
  );
const actions = () => cognito.asked.map(({ action }) => action);
const kept = async (email: string) =>
  pool.stored<{ sub: string; status: string; password: string }>('select sub, status, password from identity_user where email = $1', [
    email,
  ]);

/** Somebody in the pool and in a team. */
async function add(email = newEmail()): Promise<string> {
  const { sub } = await signUp(email, { confirmed: true });
  await inAccount(pool, { accountId: ACCOUNT_ID, actor: 'test' }, async (scope) => {
    await scope.db.$client.query("insert into account (id, created, display_name) values ($1, now(), 'Harbor') on conflict do nothing", [
      ACCOUNT_ID,
    ]);
    const id = `USER_${sub}`;
    await teams.insert(scope, { id, created: new Date(), createdBy: id, displayName: 'Rosa Diaz', emailAddress: email, level: 'admin' });
  });
  cognito.asked.length = 0;
  return sub;
}

describe('the settings', () => {
  const set = { IDENTITY: 'cognito', COGNITO_USER_POOL_ID: POOL_ID, COGNITO_CLIENT_ID: CLIENT_ID };
  it.each<[string, NodeJS.ProcessEnv]>([
    ['COGNITO_USER_POOL_ID is not set', { ...set, COGNITO_USER_POOL_ID: '' }],
    ['COGNITO_CLIENT_ID is not set', { ...set, COGNITO_CLIENT_ID: '' }],
    ['COGNITO_USER_POOL_ID is "plain"', { ...set, COGNITO_USER_POOL_ID: 'plain' }],
    ['COGNITO_ENDPOINT is "ftp://x"', { ...set, COGNITO_ENDPOINT: 'ftp://x' }],
    ['IDENTITY is "okta"', { ...set, IDENTITY: 'okta' }],
    ['OPERATOR_EMAILS is "olga"', { OPERATOR_EMAILS: 'olga' }],
  ])('are refused with one message: %s', (message, env) => {
    expect(() => readConfig(env)).toThrow(message);
  });

  it('name the pool, or else the product’s own', () => {
    expect(readConfig(set).cognito).toEqual({ userPoolId: POOL_ID, clientId: CLIENT_ID, endpoint: undefined });
    expect(readConfig({ ...set, IDENTITY: 'embedded' }).cognito).toBeUndefined();
    expect(readConfig({ OPERATOR_EMAILS: 'Olga@pool.test, sam@pool.test,' }).operatorEmails).toEqual(['olga@pool.test', 'sam@pool.test']);
  });
});

describe('a page', () => {
  it('reads which pool to sign in to, and no endpoint', async () => {
    expect(pool.identity.config).toEqual({ userPoolId: POOL_ID, userPoolClientId: CLIENT_ID });
    expect((await pool.http.inject({ method: 'POST', url: '/api/identity' })).statusCode).toBe(404);
  });
});

describe('the scheduler', () => {
  it('forgets what no longer matters here, too', async () => {
    await within((db) => pool.identity.invite(db, { sub: randomUUID(), email: newEmail(), name: '' }));
    await pool.stored("update identity_invitation set expires = now() - interval '2 days'");
    await pool.identity.work['identity.upkeep']?.({ data: {}, isLast: false, signal: AbortSignal.timeout(5_000) });
    expect(await pool.stored('select 1 from identity_invitation')).toEqual([]);
  });
});

describe('signing up', () => {
  it('refuses a weak password before anybody is asked', async () => {
    await expect(signUp(newEmail(), { password: 'Password2026' })).rejects.toMatchObject({
      code: 'bad-input',
      errors: [{ path: 'password' }],
    });
    expect(actions()).toEqual([]);
  });

  it('is done by the pool, whose name for the person is the product’s', async () => {
    const email = newEmail();
    const { taken, sub } = await signUp(email.toUpperCase());
    expect(taken).toBe(false);
    expect(cognito.users.get(email)).toMatchObject({ sub, status: 'UNCONFIRMED' });
    expect(cognito.asked).toMatchObject([
      {
        action: 'SignUp',
        isSigned: false,
        body: {
          ClientId: CLIENT_ID,
          Username: email,
          Password: PASSWORD,
          UserAttributes: [
            { Name: 'email', Value: email },
            { Name: 'name', Value: 'Rosa Diaz' },
          ],
        },
      },
    ]);
    expect(await kept(email)).toEqual([{ sub, status: 'UNCONFIRMED', password: '' }]);
    expect(await pool.mailsTo(email)).toEqual([]);
  });

  it('of a known address asks for no code', async () => {
    const email = newEmail();
    const { sub } = await signUp(email, { confirmed: true });
    expect(actions()).toEqual(['AdminCreateUser', 'AdminSetUserPassword']);
    expect(cognito.asked.every(({ isSigned }) => isSigned)).toBe(true);
    expect(cognito.asked[0]?.body).toMatchObject({
      MessageAction: 'SUPPRESS',
      UserAttributes: expect.arrayContaining([{ Name: 'email_verified', Value: 'true' }]),
    });
    expect(cognito.users.get(email)).toMatchObject({ sub, status: 'CONFIRMED', password: PASSWORD });
  });

  it('with a taken address mails its owner', async () => {
    const email = newEmail();
    await signUp(email);
    expect((await signUp(email)).taken).toBe(true);
    expect((await pool.mailsTo(email)).map(({ name }) => name)).toEqual(['identity.address-taken']);
  });

  it('mends what a transaction left behind that failed, and leaves alone whom others made', async () => {
    const email = newEmail();
    const failing = within(async (db) => {
      await pool.identity.signUp(db, { sub: randomUUID(), email, name: '', password: PASSWORD, confirmed: false });
      throw new Error('of the room');
    });
    await expect(failing).rejects.toThrow('of the room');
    expect(cognito.users.has(email)).toBe(true);
    const { taken, sub } = await signUp(email);
    expect(taken).toBe(false);
    expect(cognito.users.get(email)?.sub).toBe(sub);
    const others = newEmail();
    cognito.users.set(others, { sub: randomUUID(), status: 'CONFIRMED', enabled: true, password: '' });
    expect((await signUp(others)).taken).toBe(true);
    expect(cognito.users.has(others)).toBe(true);
  });

  it('says the field when the pool wants more of a password', async () => {
    cognito.trouble.set('SignUp', [{ type: 'InvalidPasswordException' }]);
    await expect(signUp()).rejects.toMatchObject({ code: 'bad-input', errors: [{ path: 'password' }] });
    const email = newEmail();
    cognito.trouble.set('AdminSetUserPassword', [{ type: 'InvalidPasswordException' }]);
    await expect(signUp(email, { confirmed: true })).rejects.toMatchObject({ code: 'bad-input' });
    expect(cognito.users.has(email)).toBe(false);
  });
});

describe('when the pool is in trouble', () => {
  it('is asked twice, and then it is for later', async () => {
    cognito.trouble.set('SignUp', ['break']);
    expect((await signUp()).taken).toBe(false);
    expect(actions()).toEqual(['SignUp', 'SignUp']);
    cognito.trouble.set('SignUp', ['break', 'break', 'break']);
    await expect(signUp()).rejects.toMatchObject({ code: 'overloaded', retryAfter: 2 });
    cognito.trouble.set('SignUp', [{ type: 'NotAuthorizedException' }]);
    await expect(signUp()).rejects.toMatchObject({ code: 'overloaded' });
    expect(pool.log.join('')).toContain('Amazon Cognito did not do what it was asked for');
    expect(pool.log.join('')).not.toContain(PASSWORD);
  });

  it('is not waited for longer than a transaction may wait', async () => {
    cognito.trouble.set('SignUp', ['hang', 'hang']);
    const start = performance.now();
    await expect(signUp()).rejects.toMatchObject({ code: 'overloaded' });
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe('invitations', () => {
  it('make the person when they are accepted, once', async () => {
    const [email, invited] = [newEmail(), randomUUID()];
    const key = (await within((db) => pool.identity.invite(db, { sub: invited, email, name: 'Rosa Diaz' }))) ?? '';
    expect(actions()).toEqual([]);
    const accept = (password = PASSWORD) => within((db) => pool.identity.accept(db, { key, password }));
    await expect(accept('password1')).rejects.toMatchObject({ code: 'bad-input' });
    const accepted = await accept();
    expect(accepted).toEqual({ sub: cognito.users.get(email)?.sub, email, invited });
    expect(cognito.users.get(email)?.status).toBe('CONFIRMED');
    expect(await accept()).toBeUndefined();
    expect(await within((db) => pool.identity.invite(db, { sub: randomUUID(), email, name: '' }))).toBeUndefined();
  });
});

describe('people', () => {
  it.each([
    ['endSessions', ['AdminUserGlobalSignOut']],
    ['disable', ['AdminDisableUser', 'AdminUserGlobalSignOut']],
    ['remove', ['AdminDeleteUser']],
  ] as const)('%s asks for it, and counts at the very next request', async (how, asked) => {
    const sub = await add();
    const token = await cognito.token({ sub });
    expect(await pool.admitted(token)).toBe(`USER_${sub}`);
    await within((db) => pool.identity[how](db, sub));
    expect(actions()).toEqual(asked);
    expect(cognito.asked.every(({ body }) => body.UserPoolId === POOL_ID && body.Username === sub)).toBe(true);
    expect(await pool.admitted(token)).toBe('not-signed-in');
    ahead += 2_000;
    pool.advance(2_000);
    expect(await pool.admitted(await cognito.token({ sub }))).toBe(how === 'endSessions' ? `USER_${sub}` : 'not-signed-in');
    // Somebody whom the pool has lost already is no trouble.
    cognito.users.clear();
    await within((db) => pool.identity[how](db, sub));
  });

  it('have their code mailed again by the pool', async () => {
    const email = newEmail();
    const { sub } = await signUp(email);
    const confirmed = await add();
    for (const each of [sub, confirmed, randomUUID()]) await within((db) => pool.identity.resend(db, each));
    expect(cognito.asked.filter(({ action }) => action === 'ResendConfirmationCode')[0]).toMatchObject({
      isSigned: false,
      body: { ClientId: CLIENT_ID, Username: email },
    });
  });
});

describe('a token', () => {
  it('is let in when it is the pool’s, for access, in time, and of somebody whom the product knows', async () => {
    const sub = await add();
    expect(await pool.admitted(await cognito.token({ sub }))).toBe(`USER_${sub}`);
    expect(await pool.admitted(await cognito.token())).toBe('not-signed-in');
  });

  it.each<[string, object, object?]>([
    ['for the id', { token_use: 'id' }],
    ['of another client', { client_id: 'another' }],
    ['of no client', { client_id: undefined }],
    ['that expired', { exp: 1 }],
    ['without an end', { exp: undefined }],
    ['without a beginning', { iat: undefined }],
    ['of somebody without a UUID', { sub: 'x' }],
    ['of another pool', {}, { issuer: 'https://cognito-idp.us-west-2.amazonaws.com/us-west-2_Another' }],
    ['of the stand-in’s own address', {}, { issuer: 'http://127.0.0.1' }],
    ['signed with another key', {}, { key: 'another' }],
  ])('is refused: %s', async (_name, claims, bend) => {
    const sub = await add();
    expect(await pool.admitted(await cognito.token({ sub, ...claims }, bend))).toBe('not-signed-in');
  });

  it('is checked with keys that are fetched once', async () => {
    const sub = await add();
    await pool.admitted(await cognito.token({ sub }));
    const before = cognito.fetched;
    for (let count = 0; count < 20; count += 1) expect(await pool.admitted(await cognito.token({ sub }))).toBe(`USER_${sub}`);
    expect(cognito.fetched).toBe(before);
  });

  it.each(['away', 'nonsense'] as const)('is not called false while the keys are %s', async (keys) => {
    const sub = await add();
    cognito.keys = keys;
    const other = await pool.openAnotherProcess();
    try {
      expect(await other.admitted(await cognito.token({ sub }))).toBe('overloaded');
      cognito.keys = 'there';
      expect(await other.admitted(await cognito.token({ sub }))).toBe(`USER_${sub}`);
    } finally {
      await other.stop();
    }
  });

  it('makes an operator if the pool and the settings say so', async () => {
    const [olga, other] = [await add('olga@pool.test'), await add()];
    const asOperator = async (sub: string, groups: string[]) =>
      asPerson(
        { ...pool, authenticator: pool.identity.authenticator },
        { authorization: `Bearer ${await cognito.token({ sub, 'cognito:groups': groups })}`, access: 'operator' },
        async () => 'in',
      ).catch((error: { code?: string }) => error.code);
    expect(await asOperator(olga, [])).toBe('not-allowed');
    expect(await asOperator(other, ['operator'])).toBe('not-allowed');
    expect(await asOperator(olga, ['operator'])).toBe('in');
  });
});
