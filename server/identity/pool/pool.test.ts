import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPool, PASSWORD, type TestPool } from '../../../test/support/identity.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { NewUser } from '../port.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

let pool: TestPool;
beforeAll(async () => {
  pool = await openTestPool();
});
afterAll(() => pool.stop());

const inTransaction = <T>(work: (db: Transaction) => Promise<T>): Promise<T> => pool.database.transaction({}, work);
const newEmail = () => `${randomUUID()}@pool.test`;
const person = (changes: Partial<NewUser> = {}): NewUser => ({
  sub: randomUUID(),
  email: newEmail(),
  name: 'Rosa Diaz',
  password: PASSWORD,
  confirmed: false,
  ...changes,
});
const signUp = (changes?: Partial<NewUser>) => inTransaction((db) => pool.identity.signUp(db, person(changes)));
const names = async (email: string) => (await pool.mailsTo(email)).map(({ name }) => name);
const passwordRefusal = (message: RegExp) => ({
  code: 'bad-input',
  errors: [{ path: 'password', message: expect.stringMatching(message) }],
});

describe('signUp', () => {
  it('rejects a weak password by its field and sends no mail', async () => {
    const email = newEmail();
    for (const [password, message] of [
      ['seven77', /at least 8/],
      ['x'.repeat(129), /at most 128/],
      ['Password123', /too common/],
      [email, /name or email/],
      ['rosa diaz', /name or email/],
    ] as const) {
      await expect(signUp({ email, password })).rejects.toMatchObject(passwordRefusal(message));
    }
    expect(await names(email)).toEqual([]);
    expect(await signUp({ email, password: '8 letter' })).toMatchObject({ taken: false });
  });

  it('mails a code and refuses to sign in until it is confirmed', async () => {
    const email = newEmail();
    expect((await signUp({ email: email.toUpperCase(), company: 'Diaz' })).taken).toBe(false);
    expect(await pool.mailsTo(email)).toEqual([
      {
        name: 'identity.sign-up-code',
        props: { email, name: 'Rosa Diaz', company: 'Diaz', code: expect.stringMatching(/^\d{6}$/), link: expect.any(String) },
      },
    ]);
    expect((await pool.signIn(email)).body.__type).toBe('UserNotConfirmedException');
  });

  it('sends no mail for a confirmed address', async () => {
    const email = newEmail();
    await signUp({ email, confirmed: true });
    expect(await names(email)).toEqual([]);
    expect((await pool.signIn(email)).status).toBe(200);
  });

  it('with a taken address, in any letter case, changes nothing and mails its owner at most twice', async () => {
    const { email } = await pool.add();
    for (let attempt = 0; attempt < 4; attempt += 1) {
      expect((await signUp({ email: email.toUpperCase(), password: 'another password' })).taken).toBe(true);
    }
    expect(await names(email)).toEqual(['identity.address-taken', 'identity.address-taken']);
    expect((await pool.signIn(email)).status).toBe(200);
    expect((await pool.signIn(email, { password: 'another password' })).status).toBe(400);
  });

  it('leaves nothing behind if the transaction fails', async () => {
    const email = newEmail();
    const failing = inTransaction(async (db) => {
      await pool.identity.signUp(db, person({ email }));
      throw new Error('from the caller');
    });
    await expect(failing).rejects.toThrow('from the caller');
    expect(await names(email)).toEqual([]);
    expect((await signUp({ email })).taken).toBe(false);
  });

  it('leaves one person after twelve concurrent calls, each replacing another', async () => {
    const email = newEmail();
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => signUp({ email })));
    expect(await pool.stored('select sub from identity_user where email = $1', [email])).toHaveLength(1);
    expect(new Set(outcomes.flatMap(({ replaced }) => replaced ?? [])).size).toBe(11);
  });

  it('gives the same responses for a new address and a taken one', async () => {
    const [freshEmail, { email: takenEmail }] = [newEmail(), await pool.add()];
    await signUp({ email: freshEmail });
    await signUp({ email: takenEmail });
    const { userPoolClientId: ClientId } = pool.identity.config;
    const callForBoth = async (action: string, body: object) => {
      const [first, second] = [
        await pool.call(action, { ClientId, Username: freshEmail, ...body }),
        await pool.call(action, { ClientId, Username: takenEmail, ...body }),
      ];
      return [first.text.replace(/\w\*\*\*@/, ''), second.text.replace(/\w\*\*\*@/, '')];
    };
    for (const body of [{}, {}]) {
      const [first, second] = await callForBoth('ResendConfirmationCode', body);
      expect(second).toBe(first);
    }
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const [first, second] = await callForBoth('ConfirmSignUp', { ConfirmationCode: 'no-code' });
      expect(second).toBe(first);
    }
  });

  it('resend mails the code again, to unconfirmed people only', async () => {
    const { email, sub } = await pool.add(undefined, { confirmed: false });
    await inTransaction((db) => pool.identity.resend(db, sub));
    expect(await names(email)).toEqual(['identity.sign-up-code', 'identity.sign-up-code']);
    const confirmed = await pool.add();
    await inTransaction((db) => pool.identity.resend(db, confirmed.sub));
    await inTransaction((db) => pool.identity.resend(db, randomUUID()));
    expect(await names(confirmed.email)).toEqual([]);
  });
});

describe('an invitation', () => {
  const invite = (email = newEmail(), sub: string = randomUUID()) =>
    inTransaction((db) => pool.identity.invite(db, { sub, email, name: 'Rosa Diaz' }));
  const accept = (key: string | undefined, password = PASSWORD, address = '203.0.113.50') =>
    inTransaction((db) => pool.identity.accept(db, { key: key ?? '', password, address }));
  const inviteeOf = (key: string | undefined) => inTransaction((db) => pool.identity.invitation(db, key ?? ''));

  it('is accepted only with its key, which is stored as a hash', async () => {
    const email = newEmail();
    const key = await invite(email);
    expect(key).toMatch(/^[\w-]{22}$/);
    for (const wrong of ['', 'x'.repeat(22), `${key}x`, key?.toLowerCase()]) expect(await accept(wrong)).toBeUndefined();
    const rows = JSON.stringify(await pool.stored('select encode(key, $1) as key, sub, name from identity_invitation', ['escape']));
    expect(rows).not.toContain(key);
  });

  it('creates a person who can sign in at once', async () => {
    const [email, sub] = [newEmail(), randomUUID()];
    const key = await invite(email.toUpperCase(), sub);
    expect((await pool.signIn(email)).status).toBe(400);
    await expect(accept(key, 'password1')).rejects.toMatchObject(passwordRefusal(/too common/));
    expect(await inviteeOf(key)).toMatchObject({ sub, email, name: 'Rosa Diaz' });
    expect(await accept(key)).toEqual({ email, joined: { sub, invited: sub } });
    expect((await pool.signIn(email)).status).toBe(200);
    expect(await inviteeOf(key)).toBeUndefined();
  });

  it('can be retried with key and password, because the response may be lost', async () => {
    const [email, sub] = [newEmail(), randomUUID()];
    const key = await invite(email, sub);
    await accept(key);
    const before = await pool.stored('select password, credential, modified from identity_user where sub = $1', [sub]);
    expect(await accept(key, 'another harbor at night')).toBeUndefined();
    // The current address is returned.
    const changed = newEmail();
    await pool.stored('update identity_user set email = $1 where sub = $2', [changed, sub]);
    expect(await accept(key)).toEqual({ email: changed, joined: undefined });
    expect(await inTransaction((db) => pool.identity.isKnown(db, email))).toBe(false);
    expect(await pool.stored('select password, credential, modified from identity_user where sub = $1', [sub])).toEqual(before);
    pool.advance(7 * DAY);
    expect(await accept(key)).toBeUndefined();
  });

  it('limits guesses at the password of a used key', async () => {
    const email = newEmail();
    const key = await invite(email);
    await accept(key);
    for (let guess = 0; guess < 6; guess += 1) expect(await accept(key, `not the password ${guess}`)).toBeUndefined();
    // Locked for the right password too, and for signing in from there.
    expect(await accept(key)).toBeUndefined();
    expect((await pool.signIn(email, { from: '203.0.113.50' })).body.message).toBe('Password attempts exceeded');
    pool.advance(MINUTE);
    expect(await accept(key)).toBeDefined();
    expect((await pool.signIn(email, { from: '203.0.113.50' })).status).toBe(200);
  });

  it('is rejected when used again by someone who may not sign in', async () => {
    const sub = randomUUID();
    const key = await invite(newEmail(), sub);
    await accept(key);
    for (const change of ["status = 'RESET_REQUIRED'", "status = 'CONFIRMED', enabled = false"]) {
      await pool.stored(`update identity_user set ${change} where sub = $1`, [sub]);
      expect(await accept(key)).toBeUndefined();
    }
    await inTransaction((db) => pool.identity.remove(db, sub));
    expect(await pool.stored('select 1 from identity_invitation where sub = $1', [sub])).toEqual([]);
  });

  it('expires after seven days', async () => {
    const [late, early] = [await invite(), await invite()];
    pool.advance(7 * DAY - MINUTE);
    expect(await accept(early)).toBeDefined();
    pool.advance(MINUTE);
    expect(await accept(late)).toBeUndefined();
  });

  it('is ended by a new one and by removing', async () => {
    const [email, sub] = [newEmail(), randomUUID()];
    const first = await invite(email, sub);
    const second = await invite(email, sub);
    expect(await accept(first)).toBeUndefined();
    await inTransaction((db) => pool.identity.remove(db, sub));
    expect(await accept(second)).toBeUndefined();
    const [third, fourth] = [await invite(email), await invite(email)];
    expect(await accept(fourth)).toBeDefined();
    // Two businesses invite the same person: the first accepted invitation gets the address.
    expect(await accept(third)).toBeUndefined();
  });

  it('is refused for a taken address and for someone who has joined', async () => {
    const { email, sub } = await pool.add();
    expect(await invite(email.toUpperCase())).toBeUndefined();
    expect(await invite(newEmail(), sub)).toBeUndefined();
  });

  it('is accepted once by twelve concurrent calls', async () => {
    for (let round = 0; round < 3; round += 1) {
      const key = await invite();
      const outcomes = await Promise.all(Array.from({ length: 12 }, () => accept(key)));
      expect(outcomes.filter((each) => each?.joined)).toHaveLength(1);
    }
  });
});

describe('sessions', () => {
  it('are listed with the browser’s name, network and times', async () => {
    const { email, sub } = await pool.add();
    const { AccessToken, NewDeviceMetadata, RefreshToken } = (await pool.signIn(email, { from: '203.0.113.7' })).body.AuthenticationResult;
    await pool.call('ConfirmDevice', { AccessToken, DeviceKey: NewDeviceMetadata.DeviceKey, DeviceName: 'A browser' });
    const start = pool.now();
    pool.advance(MINUTE);
    await pool.signIn(email, { from: '2001:db8::1' });
    const list = () => inTransaction((db) => pool.identity.sessions(db, { sub, family: familyOf(AccessToken) }));
    expect(await list()).toEqual([
      {
        id: expect.any(String),
        device: undefined,
        network: '2001:db8:0:0',
        signedIn: closeTo(pool.now()),
        lastUsed: closeTo(pool.now()),
        isCurrent: false,
      },
      {
        id: familyOf(AccessToken),
        device: 'A browser',
        network: '203.0.113',
        signedIn: closeTo(start),
        lastUsed: closeTo(start),
        isCurrent: true,
      },
    ]);
    pool.advance(MINUTE);
    await pool.call(
      'GetTokensFromRefreshToken',
      { ClientId: pool.identity.config.userPoolClientId, RefreshToken },
      { from: '198.51.100.9' },
    );
    expect((await list())[0]).toMatchObject({
      isCurrent: true,
      network: '198.51.100',
      lastUsed: closeTo(pool.now()),
      signedIn: closeTo(start),
    });
    pool.advance(8 * DAY);
    expect(await list()).toEqual([]);
  });

  it('end one by one, only by their own person', async () => {
    const [first, second] = [await pool.add(), await pool.add()];
    const [myToken, otherToken] = [await tokenOf(first.email), await tokenOf(first.email)];
    const end = (sub: string, id: string) => inTransaction((db) => pool.identity.endSession(db, { sub, id }));
    expect(await end(second.sub, familyOf(otherToken))).toBe(false);
    expect(await pool.admitted(otherToken)).toBe(`USER_${first.sub}`);
    expect(await end(first.sub, familyOf(otherToken))).toBe(true);
    expect(await end(first.sub, familyOf(otherToken))).toBe(false);
    expect(await pool.admitted(otherToken)).toBe('not-signed-in');
    expect(await pool.admitted(myToken)).toBe(`USER_${first.sub}`);
    expect(await inTransaction((db) => pool.identity.sessions(db, { sub: first.sub }))).toMatchObject([
      { id: familyOf(myToken), isCurrent: false },
    ]);
  });

  it.each(['disable', 'remove'] as const)('all end at the very next request: %s', async (how) => {
    const { email, sub } = await pool.add();
    const [first, second] = [await tokenOf(email), await tokenOf(email)];
    await inTransaction((db) => pool.identity[how](db, sub));
    for (const token of [first, second]) expect(await pool.admitted(token)).toBe('not-signed-in');
    expect((await pool.call('GetUser', { AccessToken: first })).body.message).toBe('Access Token has been revoked');
    expect((await pool.signIn(email)).status).toBe(400);
    expect(await pool.stored('select 1 from identity_user where sub = $1', [sub])).toHaveLength(how === 'remove' ? 0 : 1);
  });
});

const closeTo = (moment: number) => expect.closeTo(moment, -4);
const tokenOf = async (email: string): Promise<string> => (await pool.signIn(email)).body.AuthenticationResult.AccessToken;
const familyOf = (token: string): string => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).origin_jti;
