import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPool, PASSWORD, type PoolAnswer, type TestPool } from '../../../../test/support/identity.ts';
import { oneTimePassword } from '../../../../test/support/one-time-password.ts';
import { inEveryAccount } from '../../../platform/tenancy/access.ts';

let pool: TestPool;
beforeAll(async () => {
  pool = await openTestPool();
});
afterAll(() => pool.stop());

const DAY = 24 * 60 * 60_000;
const NEW_PASSWORD = 'another long harbor';
const tokenOf = ({ body }: PoolAnswer): string => body.AuthenticationResult.AccessToken;
const lock = (key: string): Promise<boolean> => inEveryAccount(pool, ({ db }) => pool.identity.lock(db, key));

/** Returns the keys of the links mailed to an address, oldest first. */
const keysFor = async (email: string): Promise<string[]> =>
  (await pool.mailsTo(email)).flatMap(({ props }) => /#not-me=([\w-]+)$/.exec(props['lock'] ?? '')?.[1] ?? []);

const newestKey = async (email: string): Promise<string> => (await keysFor(email)).at(-1) ?? '';

const changePassword = (AccessToken: string, PreviousPassword = PASSWORD, ProposedPassword = NEW_PASSWORD) =>
  pool.call('ChangePassword', { AccessToken, PreviousPassword, ProposedPassword });

async function changeAddress(AccessToken: string, email: string): Promise<void> {
  await pool.call('UpdateUserAttributes', { AccessToken, UserAttributes: [{ Name: 'email', Value: email }] });
  await pool.call('VerifyUserAttribute', { AccessToken, AttributeName: 'email', Code: await pool.codeFor(email) });
}

async function turnOn(AccessToken: string): Promise<void> {
  const { body } = await pool.call('AssociateSoftwareToken', { AccessToken });
  await pool.call('VerifySoftwareToken', { AccessToken, UserCode: oneTimePassword(body.SecretCode, pool) });
  await pool.call('SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: true } });
}

const addressOf = async (sub: string) =>
  (await pool.stored<{ email: string }>('select email from identity_user where sub = $1', [sub]))[0]?.email;

describe('“This was not me”', () => {
  it('is mailed with time and device, without the network address', async () => {
    const { email } = await pool.add();
    await changePassword(tokenOf(await pool.signIn(email, { from: '203.0.113.77' })));
    const [mail] = await pool.mailsTo(email);
    expect(mail).toMatchObject({ name: 'identity.password-changed', props: { when: { at: expect.any(Number) } } });
    expect(mail?.props).toHaveProperty('device', {});
    expect(JSON.stringify(mail)).not.toContain('203.0.113');
  });

  it('ends every session and the password, once', async () => {
    const { email } = await pool.add();
    const token = tokenOf(await pool.signIn(email));
    await changePassword(token);
    const key = await newestKey(email);
    expect(await lock(key)).toBe(true);
    expect(await pool.admitted(token)).toBe('not-signed-in');
    expect((await pool.signIn(email, { password: NEW_PASSWORD })).body.__type).toBe('PasswordResetRequiredException');
    expect(await lock(key)).toBe(false);
    const ClientId = pool.identity.config.userPoolClientId;
    await pool.call('ForgotPassword', { ClientId, Username: email });
    await pool.call('ConfirmForgotPassword', {
      ClientId,
      Username: email,
      ConfirmationCode: await pool.codeFor(email),
      Password: 'a third long harbor',
    });
    expect((await pool.signIn(email, { password: 'a third long harbor' })).status).toBe(200);
  });

  it('revokes the person’s API keys, and no others', async () => {
    const { sub, email } = await pool.add();
    const addKey = (id: string, author: string) =>
      pool.stored(
        `insert into api_key (account_id, id, hash, ending, display_name, scopes, author, created)
         select account_id, $1::text, sha256($1::text::bytea), 'abcd', 'Thief', '{export}', $2, now() from "user" where id = $3`,
        [id, author, `USER_${sub}`],
      );
    await addKey(`APIKEY_own_${sub}`, `USER_${sub}`);
    await addKey(`APIKEY_else_${sub}`, 'USER_colleague');
    await changePassword(tokenOf(await pool.signIn(email)));
    expect(await lock(await newestKey(email))).toBe(true);
    expect(await pool.stored('select author from api_key')).toEqual([{ author: 'USER_colleague' }]);
    expect(await pool.stored(`select actor from event where name = 'api-key.revoked'`)).toEqual([{ actor: `USER_${sub}` }]);
  });

  it('restores the address and invalidates links mailed to the new one', async () => {
    const { sub, email } = await pool.add();
    const newEmail = `${randomUUID()}@thief.test`;
    const token = tokenOf(await pool.signIn(email));
    await changeAddress(token, newEmail);
    pool.advance(1);
    await changePassword(token);
    expect(await addressOf(sub)).toBe(newEmail);
    const thiefKey = await newestKey(newEmail);
    expect(await lock(await newestKey(email))).toBe(true);
    expect(await addressOf(sub)).toBe(email);
    expect(await pool.stored('select email_address from "user" where id = $1', [`USER_${sub}`])).toEqual([{ email_address: email }]);
    expect(await lock(thiefKey)).toBe(false);
    expect(await addressOf(sub)).toBe(email);
  });

  it('restores the address even after the new address used its link', async () => {
    const { sub, email } = await pool.add();
    const newEmail = `${randomUUID()}@thief.test`;
    const token = tokenOf(await pool.signIn(email));
    await changeAddress(token, newEmail);
    pool.advance(1);
    await changePassword(token);
    expect(await lock(await newestKey(newEmail))).toBe(true);
    expect(await addressOf(sub)).toBe(newEmail);
    expect(await lock(await newestKey(email))).toBe(true);
    expect(await addressOf(sub)).toBe(email);
  });

  it('deletes an app turned on since, but not an earlier one', async () => {
    const { sub, email } = await pool.add();
    const token = tokenOf(await pool.signIn(email));
    const apps = () => pool.stored('select from identity_totp where sub = $1', [sub]);
    await changePassword(token);
    const before = await newestKey(email);
    pool.advance(1);
    await turnOn(token);
    expect((await pool.mailsTo(email)).at(-1)).toMatchObject({ name: 'identity.second-factor-changed', props: { isOn: true } });
    expect(await apps()).toHaveLength(1);
    pool.advance(1);
    await changePassword(token, NEW_PASSWORD, 'a third long harbor');
    expect(await lock(await newestKey(email))).toBe(true);
    expect(await apps()).toHaveLength(1);
    expect(await lock(before)).toBe(true);
    expect(await apps()).toHaveLength(0);
  });

  it('rejects a link after seven days and an invented key', async () => {
    const { email } = await pool.add();
    await changePassword(tokenOf(await pool.signIn(email)));
    pool.advance(7 * DAY + 1);
    expect(await lock(await newestKey(email))).toBe(false);
    expect(await lock('a'.repeat(22))).toBe(false);
    expect((await pool.signIn(email, { password: NEW_PASSWORD })).status).toBe(200);
  });
});
