import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ACCOUNT_ID } from '#fixtures/business.ts';
import { CLIENT_ID, POOL_ID } from '../../../test/support/cognito/actions.ts';
import { type CognitoStandIn, openCognito } from '../../../test/support/cognito/cognito.ts';
import { openTestPool, PASSWORD, type TestPool } from '../../../test/support/identity.ts';
import { readConfig } from '../../platform/config/config.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { asPerson, inAccount } from '../../platform/tenancy/access.ts';
import * as teams from '../../user/store.ts';

let cognito: CognitoStandIn;
let pool: TestPool;
let advancedBy = 0;
beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'of-a-test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'of-a-test');
  cognito = await openCognito(() => Date.now() + advancedBy);
  pool = await openTestPool({
    settings: {
      IDENTITY: 'cognito',
      COGNITO_USER_POOL_ID: POOL_ID,
      COGNITO_CLIENT_ID: CLIENT_ID,
      COGNITO_ENDPOINT: cognito.url,
      COGNITO_DOMAIN: 'auth.pool.test',
      OPERATOR_EMAILS: 'olga@pool.test',
    },
  });
});
beforeEach(() => {
  cognito.requests.length = 0;
  cognito.keys = 'there';
  cognito.failures.clear();
});
afterAll(async () => {
  await pool.stop();
  await cognito.stop();
  vi.unstubAllEnvs();
});

const inTransaction = <T>(work: (db: Transaction) => Promise<T>): Promise<T> => pool.database.transaction({}, work);
const newEmail = () => `${randomUUID()}@pool.test`;
const signUp = (email = newEmail(), changes: { confirmed?: boolean; password?: string } = {}) =>
  inTransaction((db) =>
    pool.identity.signUp(db, { sub: randomUUID(), email, name: 'Rosa Diaz', password: PASSWORD, confirmed: false, ...changes }),
  );
const actions = () => cognito.requests.map(({ action }) => action);
/** The requests that don't just check a token. */
const withoutTokenChecks = () => cognito.requests.filter(({ action }) => action !== 'GetUser');
const stored = async (email: string) =>
  pool.stored<{ sub: string; status: string; password: string }>('select sub, status, password from identity_user where email = $1', [
    email,
  ]);

/** Adds a person to the pool and to a team. */
async function add(email = newEmail()): Promise<string> {
  const { sub } = await signUp(email, { confirmed: true });
  await inAccount(pool, { accountId: ACCOUNT_ID, actor: 'test' }, async (scope) => {
    await scope.db.$client.query("insert into account (id, created, display_name) values ($1, now(), 'Harbor') on conflict do nothing", [
      ACCOUNT_ID,
    ]);
    const id = `USER_${sub}`;
    await teams.insert(scope, { id, created: new Date(), createdBy: id, displayName: 'Rosa Diaz', emailAddress: email, level: 'admin' });
  });
  cognito.requests.length = 0;
  return sub;
}

describe('settings', () => {
  const set = { IDENTITY: 'cognito', COGNITO_USER_POOL_ID: POOL_ID, COGNITO_CLIENT_ID: CLIENT_ID };
  it.each<[string, NodeJS.ProcessEnv]>([
    ['COGNITO_USER_POOL_ID is not set', { ...set, COGNITO_USER_POOL_ID: '' }],
    ['COGNITO_CLIENT_ID is not set', { ...set, COGNITO_CLIENT_ID: '' }],
    ['COGNITO_USER_POOL_ID is "plain"', { ...set, COGNITO_USER_POOL_ID: 'plain' }],
    ['COGNITO_ENDPOINT is "ftp://x"', { ...set, COGNITO_ENDPOINT: 'ftp://x' }],
    ['COGNITO_DOMAIN is "https://auth.example.com"', { ...set, COGNITO_DOMAIN: 'https://auth.example.com' }],
    ['COGNITO_DOMAIN is "auth.example.com; script-src *"', { ...set, COGNITO_DOMAIN: 'auth.example.com; script-src *' }],
    ['SEED is "demo"; with IDENTITY=cognito it should be none', { ...set, SEED: 'demo' }],
    ['IDENTITY is "okta"', { ...set, IDENTITY: 'okta' }],
    ['OPERATOR_EMAILS is "olga"', { OPERATOR_EMAILS: 'olga' }],
    ['OPERATOR_EMAILS is "olga+ops@pool.test"', { OPERATOR_EMAILS: 'olga+ops@pool.test' }],
    ['OPERATOR_EMAILS is "olga@studio.digital"', { OPERATOR_EMAILS: 'olga@studio.digital' }],
  ])('are rejected with one message: %s', (message, env) => {
    expect(() => readConfig(env)).toThrow(message);
  });

  it('select Cognito, or else the product’s own pool', () => {
    expect(readConfig(set).cognito).toEqual({ userPoolId: POOL_ID, clientId: CLIENT_ID, endpoint: undefined, domain: undefined });
    expect(readConfig({ ...set, COGNITO_DOMAIN: 'auth.example.com' }).cognito?.domain).toBe('auth.example.com');
    expect(readConfig({ ...set, IDENTITY: 'embedded' }).cognito).toBeUndefined();
    expect(readConfig({ OPERATOR_EMAILS: 'Olga@pool.test, sam@pool.test,' }).operatorEmails).toEqual(['olga@pool.test', 'sam@pool.test']);
  });
});

describe('the public config', () => {
  it('has the pool, its address and its hosted login', async () => {
    expect(pool.identity.config).toEqual({
      userPoolId: POOL_ID,
      userPoolClientId: CLIENT_ID,
      userPoolEndpoint: cognito.url,
      hostedDomain: 'auth.pool.test',
    });
    expect(pool.identity.origins).toEqual([cognito.url, 'https://auth.pool.test']);
    expect((await pool.http.inject({ method: 'POST', url: '/api/identity' })).statusCode).toBe(404);
  });
});

describe('upkeep', () => {
  it('deletes expired invitations', async () => {
    await inTransaction((db) => pool.identity.invite(db, { sub: randomUUID(), email: newEmail(), name: '' }));
    await pool.stored("update identity_invitation set expires = now() - interval '2 days'");
    await pool.identity.work['identity.upkeep']?.({ data: {}, isLast: false, signal: AbortSignal.timeout(5_000) });
    expect(await pool.stored('select 1 from identity_invitation')).toEqual([]);
  });
});

describe('signUp', () => {
  it('rejects a weak password before asking Cognito', async () => {
    await expect(signUp(newEmail(), { password: 'Password2026' })).rejects.toMatchObject({
      code: 'bad-input',
      errors: [{ path: 'password' }],
    });
    expect(actions()).toEqual([]);
  });

  it('creates the user in Cognito and stores Cognito’s id', async () => {
    const email = newEmail();
    const { taken, sub } = await signUp(email.toUpperCase());
    expect(taken).toBe(false);
    expect(cognito.users.get(email)).toMatchObject({ sub, status: 'UNCONFIRMED' });
    expect(cognito.requests).toMatchObject([
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
    expect(await stored(email)).toEqual([{ sub, status: 'UNCONFIRMED', password: '' }]);
    expect(await pool.mailsTo(email)).toEqual([]);
  });

  it('creates a confirmed user without a code', async () => {
    const email = newEmail();
    const { sub } = await signUp(email, { confirmed: true });
    expect(actions()).toEqual(['AdminCreateUser', 'AdminSetUserPassword']);
    expect(cognito.requests.every(({ isSigned }) => isSigned)).toBe(true);
    expect(cognito.requests[0]?.body).toMatchObject({
      MessageAction: 'SUPPRESS',
      UserAttributes: expect.arrayContaining([{ Name: 'email_verified', Value: 'true' }]),
    });
    expect(cognito.users.get(email)).toMatchObject({ sub, status: 'CONFIRMED', password: PASSWORD });
  });

  it('mails the owner of a taken address', async () => {
    const email = newEmail();
    await signUp(email, { confirmed: true });
    expect((await signUp(email)).taken).toBe(true);
    expect((await pool.mailsTo(email)).map(({ name }) => name)).toEqual(['identity.address-taken']);
  });

  it('replaces a user left behind by a failed transaction, but none that others created', async () => {
    const email = newEmail();
    const failing = inTransaction(async (db) => {
      await pool.identity.signUp(db, { sub: randomUUID(), email, name: '', password: PASSWORD, confirmed: false });
      throw new Error('from the caller');
    });
    await expect(failing).rejects.toThrow('from the caller');
    expect(cognito.users.has(email)).toBe(true);
    const { taken, sub } = await signUp(email);
    expect(taken).toBe(false);
    expect(cognito.users.get(email)?.sub).toBe(sub);
    const othersEmail = newEmail();
    cognito.users.set(othersEmail, { sub: randomUUID(), status: 'CONFIRMED', enabled: true, password: '' });
    expect((await signUp(othersEmail)).taken).toBe(true);
    expect(cognito.users.has(othersEmail)).toBe(true);
  });

  it('replaces an unconfirmed sign-up, but not a confirmed one', async () => {
    const email = newEmail();
    const first = await signUp(email);
    expect(await inTransaction((db) => pool.identity.isConfirmed(db, first.sub))).toBe(false);
    const second = await signUp(email, { password: 'another battery of horses' });
    expect(second).toMatchObject({ taken: false, replaced: first.sub });
    expect(cognito.users.get(email)).toMatchObject({ sub: second.sub, password: 'another battery of horses' });
    expect(await stored(email)).toMatchObject([{ sub: second.sub }]);
    // As the browser does, directly in Cognito.
    Object.assign(cognito.users.get(email) ?? {}, { status: 'CONFIRMED' });
    expect((await signUp(email)).taken).toBe(true);
    expect(cognito.users.get(email)?.sub).toBe(second.sub);
    expect(await inTransaction((db) => pool.identity.isConfirmed(db, second.sub))).toBe(true);
    expect(await inTransaction((db) => pool.identity.isConfirmed(db, first.sub))).toBe(false);
  });

  it('reads the confirmation from Cognito once', async () => {
    const email = newEmail();
    const { sub } = await signUp(email);
    Object.assign(cognito.users.get(email) ?? {}, { status: 'CONFIRMED' });
    cognito.requests.length = 0;
    for (let check = 0; check < 2; check += 1) expect(await inTransaction((db) => pool.identity.isConfirmed(db, sub))).toBe(true);
    expect(actions()).toEqual(['AdminGetUser']);
    expect(await inTransaction((db) => pool.identity.isConfirmed(db, randomUUID()))).toBe(false);
  });

  it('names the password field if Cognito’s policy rejects it', async () => {
    cognito.failures.set('SignUp', [{ type: 'InvalidPasswordException' }]);
    await expect(signUp()).rejects.toMatchObject({ code: 'bad-input', errors: [{ path: 'password' }] });
    const email = newEmail();
    cognito.failures.set('AdminSetUserPassword', [{ type: 'InvalidPasswordException' }]);
    await expect(signUp(email, { confirmed: true })).rejects.toMatchObject({ code: 'bad-input' });
    expect(cognito.users.has(email)).toBe(false);
  });
});

describe('while Cognito fails', () => {
  it('tries twice, then refuses until later', async () => {
    cognito.failures.set('SignUp', ['break']);
    expect((await signUp()).taken).toBe(false);
    expect(actions()).toEqual(['SignUp', 'SignUp']);
    cognito.failures.set('SignUp', ['break', 'break', 'break']);
    await expect(signUp()).rejects.toMatchObject({ code: 'overloaded', retryAfter: 2 });
    cognito.failures.set('SignUp', [{ type: 'NotAuthorizedException' }]);
    await expect(signUp()).rejects.toMatchObject({ code: 'overloaded' });
    expect(pool.log.join('')).toContain('a request to Amazon Cognito failed');
    expect(pool.log.join('')).not.toContain(PASSWORD);
  });

  it('gives up before the transaction times out', async () => {
    cognito.failures.set('SignUp', ['hang', 'hang']);
    await expect(signUp()).rejects.toMatchObject({ code: 'overloaded' });
  });
});

describe('invitations', () => {
  it('create the person once when accepted', async () => {
    const [email, invited] = [newEmail(), randomUUID()];
    const key = (await inTransaction((db) => pool.identity.invite(db, { sub: invited, email, name: 'Rosa Diaz' }))) ?? '';
    expect(actions()).toEqual([]);
    const accept = (password = PASSWORD) => inTransaction((db) => pool.identity.accept(db, { key, password, address: '203.0.113.7' }));
    await expect(accept('password1')).rejects.toMatchObject({ code: 'bad-input' });
    const accepted = await accept();
    const sub = cognito.users.get(email)?.sub ?? '';
    expect(accepted).toEqual({ email, joined: { sub, invited } });
    expect(cognito.users.get(email)?.status).toBe('CONFIRMED');
    // A retry after a lost response: Cognito checks the password, and no session is left.
    expect(await accept('another harbor at night')).toBeUndefined();
    expect(await accept()).toEqual({ email, joined: undefined });
    expect(cognito.requests.slice(-2).map(({ action }) => action)).toEqual(['InitiateAuth', 'RevokeToken']);
    cognito.failures.set('InitiateAuth', ['break', 'break']);
    await expect(accept()).rejects.toMatchObject({ code: 'overloaded' });
    await inTransaction((db) => pool.identity.remove(db, sub));
    expect(await accept()).toBeUndefined();
    expect(await pool.stored('select 1 from identity_invitation where sub = $1', [invited])).toEqual([]);
    await add(email);
    expect(await inTransaction((db) => pool.identity.invite(db, { sub: randomUUID(), email, name: '' }))).toBeUndefined();
  });
});

describe('people', () => {
  it.each([
    ['disable', ['AdminDisableUser', 'AdminUserGlobalSignOut']],
    ['remove', ['AdminDeleteUser']],
  ] as const)('%s calls Cognito and rejects the very next request', async (how, asked) => {
    const sub = await add();
    const token = await cognito.token({ sub });
    expect(await pool.admitted(token)).toBe(`USER_${sub}`);
    await inTransaction((db) => pool.identity[how](db, sub));
    expect(withoutTokenChecks().map(({ action }) => action)).toEqual(asked);
    expect(withoutTokenChecks().every(({ body }) => body.UserPoolId === POOL_ID && body.Username === sub)).toBe(true);
    expect(await pool.admitted(token)).toBe('not-signed-in');
    advancedBy += 2_000;
    pool.advance(2_000);
    expect(await pool.admitted(await cognito.token({ sub }))).toBe('not-signed-in');
    // A user Cognito no longer has is no error.
    cognito.users.clear();
    await inTransaction((db) => pool.identity[how](db, sub));
  });

  it('resend asks Cognito to mail the code again', async () => {
    const email = newEmail();
    const { sub } = await signUp(email);
    const confirmed = await add();
    for (const each of [sub, confirmed, randomUUID()]) await inTransaction((db) => pool.identity.resend(db, each));
    expect(cognito.requests.filter(({ action }) => action === 'ResendConfirmationCode')[0]).toMatchObject({
      isSigned: false,
      body: { ClientId: CLIENT_ID, Username: email },
    });
  });
});

it('mailPasswordReset makes Cognito mail people who may sign in', async () => {
  const email = newEmail();
  await add(email);
  expect(await inTransaction((db) => pool.identity.mailPasswordReset(db, newEmail()))).toBe(false);
  expect(await inTransaction((db) => pool.identity.mailPasswordReset(db, email.toUpperCase()))).toBe(true);
  expect(cognito.requests.at(-1)).toMatchObject({
    action: 'ForgotPassword',
    isSigned: false,
    body: { ClientId: CLIENT_ID, Username: email },
  });
});

describe('a token', () => {
  it('is accepted if Cognito issued it and the product has its person', async () => {
    const sub = await add();
    expect(await pool.admitted(await cognito.token({ sub }))).toBe(`USER_${sub}`);
    expect(await pool.admitted(await cognito.token())).toBe('not-signed-in');
  });

  it.each<[string, object, object?]>([
    ['an id token', { token_use: 'id' }],
    ['another client', { client_id: 'another' }],
    ['no client', { client_id: undefined }],
    ['expired', { exp: 1 }],
    ['no expiry', { exp: undefined }],
    ['no issue time', { iat: undefined }],
    ['a subject that is no UUID', { sub: 'x' }],
    ['another pool', {}, { issuer: 'https://cognito-idp.us-west-2.amazonaws.com/us-west-2_Another' }],
    ['the stand-in’s own address', {}, { issuer: 'http://127.0.0.1' }],
    ['another key', {}, { key: 'another' }],
  ])('is rejected: %s', async (_name, claims, bend) => {
    const sub = await add();
    expect(await pool.admitted(await cognito.token({ sub, ...claims }, bend))).toBe('not-signed-in');
  });

  it('is checked with keys fetched once', async () => {
    const sub = await add();
    await pool.admitted(await cognito.token({ sub }));
    const before = cognito.fetched;
    for (let count = 0; count < 20; count += 1) expect(await pool.admitted(await cognito.token({ sub }))).toBe(`USER_${sub}`);
    expect(cognito.fetched).toBe(before);
  });

  it.each(['away', 'nonsense'] as const)('is answered with overloaded while the keys are %s', async (keys) => {
    const sub = await add();
    cognito.keys = keys;
    const second = await pool.openAnotherProcess();
    try {
      expect(await second.admitted(await cognito.token({ sub }))).toBe('overloaded');
      cognito.keys = 'there';
      expect(await second.admitted(await cognito.token({ sub }))).toBe(`USER_${sub}`);
    } finally {
      await second.stop();
    }
  });

  it('is rejected within seconds of a sign-out in Cognito', async () => {
    const token = await cognito.token({ sub: await add() });
    expect(await pool.admitted(token)).toMatch(/^USER_/);
    // In the browser, which asks Cognito and not the product.
    await ask('GlobalSignOut', token);
    advance(15_001);
    expect(await pool.admitted(token)).toBe('not-signed-in');
  });

  it('is looked up once per interval, however many requests come in', async () => {
    const token = await cognito.token({ sub: await add() });
    const admitAll = () => Promise.all(Array.from({ length: 20 }, () => pool.admitted(token)));
    await admitAll();
    await admitAll();
    expect(actions()).toEqual(['GetUser']);
    expect(cognito.requests[0]).toMatchObject({ isSigned: false, body: { AccessToken: token } });
    advance(15_001);
    await admitAll();
    expect(actions()).toEqual(['GetUser', 'GetUser']);
  });

  it('is answered with no-account for a person the product doesn’t have', async () => {
    const sub = randomUUID();
    cognito.users.set(newEmail(), { sub, status: 'CONFIRMED', enabled: true, password: '' });
    expect(await pool.admitted(await cognito.token({ sub }))).toBe('no-account');
  });

  it('stays valid while Cognito doesn’t respond', async () => {
    const sub = await add();
    cognito.failures.set('GetUser', ['break', 'break']);
    expect(await pool.admitted(await cognito.token({ sub }))).toBe(`USER_${sub}`);
  });
});

/** Moves the clocks of Cognito and the product. */
function advance(ms: number): void {
  advancedBy += ms;
  pool.advance(ms);
}

/** Calls Cognito as a browser does. */
const ask = (action: string, AccessToken: string, sent: object = {}): Promise<unknown> =>
  fetch(cognito.url, {
    method: 'POST',
    headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${action}` },
    body: JSON.stringify({ AccessToken, ...sent }),
  });

describe('an address changed in Cognito', () => {
  const storedEmail = (sub: string) => pool.stored('select email_address from "user" where id = $1', [`USER_${sub}`]);
  /** As the browser does: in Cognito only. */
  async function change(sub: string, email: string): Promise<void> {
    const token = await cognito.token({ sub });
    await ask('UpdateUserAttributes', token, { UserAttributes: [{ Name: 'email', Value: email }] });
    await ask('VerifyUserAttribute', token, { AttributeName: 'email', Code: cognito.codes.get(email) });
  }

  it('is copied with the next token, recorded once, and mailed to the old address', async () => {
    const [before, after] = [newEmail(), newEmail()];
    const sub = await add(before);
    await change(sub, after);
    for (let requests = 0; requests < 3; requests += 1) await pool.admitted(await cognito.token({ sub }));
    expect(await storedEmail(sub)).toEqual([{ email_address: after }]);
    expect(await pool.stored('select email, email_verified from identity_user where sub = $1', [sub])).toEqual([
      { email: after, email_verified: true },
    ]);
    expect(await pool.stored("select 1 from event where name = 'user.email-changed' and subject = $1", [`USER_${sub}`])).toHaveLength(1);
    expect((await pool.mailsTo(before)).map(({ name }) => name)).toEqual(['identity.address-changed']);
  });

  it('is copied with an old token once the cache has expired', async () => {
    const [sub, after] = [await add(), newEmail()];
    const token = await cognito.token({ sub });
    await pool.admitted(token);
    await change(sub, after);
    advance(15_001);
    await pool.admitted(token);
    expect(await storedEmail(sub)).toEqual([{ email_address: after }]);
  });

  it.each<[string, () => Promise<string>, boolean]>([
    ['unverified', async () => newEmail(), false],
    [
      'taken here',
      async () => {
        const [row] = await pool.stored<{ email: string }>("select email from identity_user where status = 'CONFIRMED' limit 1");
        return row?.email ?? '';
      },
      true,
    ],
    ['no valid address', async () => `"odd one"+${randomUUID()}@pool.test`, true],
  ])('is not copied while it is %s', async (_name, newAddress, isVerified) => {
    const [before, after] = [newEmail(), await newAddress()];
    const sub = await add(before);
    const user = cognito.users.get(before);
    if (!user) throw new Error('The user was not added');
    cognito.users.delete(before);
    const owner = cognito.users.get(after);
    cognito.users.set(after, { ...user, isVerified });
    expect(await pool.admitted(await cognito.token({ sub }))).toBe(`USER_${sub}`);
    expect(await storedEmail(sub)).toEqual([{ email_address: before }]);
    expect(await pool.mailsTo(before)).toEqual([]);
    if (owner) cognito.users.set(after, owner);
    expect(pool.log.join('')).not.toContain(after);
  });
});

describe('an operator', () => {
  const asOperator = async (sub: string, claims: object = {}) =>
    asPerson(
      { ...pool, authenticator: pool.identity.authenticator },
      {
        authorization: `Bearer ${await cognito.token({ sub, 'cognito:groups': ['operator'], ...signedIn(), ...claims })}`,
        access: 'operator',
      },
      async () => 'in',
    ).catch((error: { code?: string }) => error.code);
  const signedIn = (ago = 0) => ({ origin_jti: randomUUID(), auth_time: Math.floor(pool.now() / 1000) - ago });
  const setApp = (email: string, hasApp: boolean) => Object.assign(cognito.users.get(email) ?? {}, { hasApp });

  it('needs the group, the settings and a second factor', async () => {
    const [olga, email] = [await add('olga@pool.test'), newEmail()];
    const otherSub = await add(email);
    expect(await asOperator(olga)).toBe('not-allowed');
    setApp('olga@pool.test', true);
    setApp(email, true);
    expect(await asOperator(olga, { 'cognito:groups': [] })).toBe('not-allowed');
    expect(await asOperator(otherSub)).toBe('not-allowed');
    const session = signedIn();
    expect(await asOperator(olga, session)).toBe('in');
    setApp('olga@pool.test', false);
    expect(await asOperator(olga, session)).toBe('not-allowed');
  });

  it('needs the second factor at this sign-in: adding one to a session isn’t enough', async () => {
    const olga = await sub('olga@pool.test');
    const session = signedIn();
    setApp('olga@pool.test', false);
    expect(await asOperator(olga, session)).toBe('not-allowed');
    setApp('olga@pool.test', true);
    expect(await asOperator(olga, session)).toBe('not-allowed');
    expect(await asOperator(olga, signedIn(2 * 3_600))).toBe('not-allowed');
    expect(await asOperator(olga, { auth_time: undefined })).toBe('not-allowed');
    const signIn = signedIn();
    expect(await asOperator(olga, signIn)).toBe('in');
    advance(2 * 3_600_000);
    expect(await asOperator(olga, signIn)).toBe('in');
  });

  it('is rejected while the address is unverified or Cognito doesn’t respond', async () => {
    const olga = await sub('olga@pool.test');
    cognito.failures.set('GetUser', ['break', 'break']);
    expect(await asOperator(olga)).toBe('not-allowed');
    Object.assign(cognito.users.get('olga@pool.test') ?? {}, { isVerified: false });
    expect(await asOperator(olga)).toBe('not-allowed');
    Object.assign(cognito.users.get('olga@pool.test') ?? {}, { isVerified: true });
    expect(await asOperator(olga)).toBe('in');
  });

  const sub = async (email: string): Promise<string> => cognito.users.get(email)?.sub ?? '';
});

describe('startup', () => {
  it('fails with one message if there is no such pool', async () => {
    cognito.keys = 'unknown';
    await expect(pool.identity.reach()).rejects.toThrow(
      /^COGNITO_USER_POOL_ID is "us-west-2_Standin01", and there is no such pool \(http\S+ answers 404\); it should be the id of a pool/,
    );
  });

  it('continues with a warning if the pool doesn’t respond', async () => {
    await pool.identity.reach();
    expect(pool.log.join('')).not.toContain('COGNITO_USER_POOL_ID doesn’t respond');
    cognito.keys = 'away';
    cognito.fetched = 0;
    await pool.identity.reach();
    expect(cognito.fetched).toBe(2);
    expect(pool.log.join('')).toContain('COGNITO_USER_POOL_ID doesn’t respond');
  });
});
