import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ACCOUNT_ID, dana, noor, sam } from '#fixtures/business.ts';
import { openTestApp, SAMPLE_PASSWORD, type TestApp } from '../../test/support/app.ts';
import { oneTimePassword } from '../../test/support/one-time-password.ts';
import { setUpApp, signInAsOperator } from '../../test/support/operator.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';

/* Somebody lost their phone: who may help, when, and who hears of it. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let app: TestApp;
let admin: string;
/** Where it is set, the clock stands still (UTC ms): waits that grow must not end because a machine is slow. */
let still: number | undefined;
beforeAll(async () => {
  app = await openTestApp({
    settings: { OPERATOR_EMAILS: dana.data.emailAddress },
    clock: () => still ?? Date.now(),
    also: addOtherAccount,
  });
});
beforeEach(async () => {
  still = undefined;
  app.advance(3 * HOUR);
  for (const table of ['identity_totp', 'identity_factor_reset']) await app.stored(`delete from ${table}`);
});
afterAll(() => app.stop());

const said = ({ status, body }: { status: number; body: { code?: string; status?: string } }) =>
  status === 200 ? 'yes' : (body.code ?? body.status);
const begin = async (USERNAME: string) =>
  (await app.pool('InitiateAuth', { AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME, PASSWORD: SAMPLE_PASSWORD } })).body;
const answer = (USERNAME: string, Session: string, code: string) =>
  app.pool('RespondToAuthChallenge', {
    ChallengeName: 'SOFTWARE_TOKEN_MFA',
    Session,
    ChallengeResponses: { USERNAME, SOFTWARE_TOKEN_MFA_CODE: code },
  });
const isAsked = async (email: string): Promise<boolean> => 'Session' in (await begin(email));

/** Somebody with two-step sign-in on, and the session that turned it on. */
async function guarded(email: string): Promise<{ token: string; secret: string }> {
  const token = await app.signIn(email);
  return { token, secret: await setUpApp(app, token) };
}

describe('an operation that asks for a fresh sign-in', () => {
  it('is refused by a code of its own a quarter of an hour later, whoever asks', async () => {
    admin = await app.signIn(dana.data.emailAddress);
    app.advance(15 * MINUTE + 1_000);
    const ask = (action: string, sent: object) => app.call('user', action, sent, admin);
    expect(said(await ask('makeBackupCodes', {}))).toBe('sign-in-again');
    expect(said(await ask('resetSecondFactor', { userId: sam.id }))).toBe('sign-in-again');
    expect(said(await app.call('account', 'delete', { accountId: ACCOUNT_ID, displayName: 'x' }, admin))).toBe('sign-in-again');
    const operator = await signInAsOperator(app);
    app.advance(15 * MINUTE + 1_000);
    const deletion = { accountId: otherAccount.accountId, reason: 'asked for' };
    expect(said(await app.call('account', 'masterDelete', deletion, operator))).toBe('sign-in-again');
    expect(await app.stored('select 1 from account where deleted is not null')).toEqual([]);
  });

  it('stays refused to whoever may not do it at all', async () => {
    const member = await app.signIn(sam.data.emailAddress);
    expect(said(await app.call('user', 'resetSecondFactor', { userId: noor.id }, member))).toBe('not-allowed');
  });
});

describe('backup codes', () => {
  it('stand in for the app, each once, and their use is told by mail', async () => {
    const { token, secret } = await guarded(sam.data.emailAddress);
    const { codes } = (await app.call('user', 'makeBackupCodes', {}, token)).body;
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    const [first, second] = codes;
    const { Session } = await begin(sam.data.emailAddress);
    expect((await answer(sam.data.emailAddress, Session, first.toLowerCase().replace('-', ''))).body.AuthenticationResult).toBeDefined();
    await app.mailTo(sam.data.emailAddress, '9 codes are left');
    const again = await begin(sam.data.emailAddress);
    expect((await answer(sam.data.emailAddress, again.Session, first)).body.__type).toBe('CodeMismatchException');
    expect((await answer(sam.data.emailAddress, again.Session, second)).status).toBe(200);
    const app6 = await begin(sam.data.emailAddress);
    expect((await answer(sam.data.emailAddress, app6.Session, oneTimePassword(secret, app.app.platform))).status).toBe(200);
    const { secondFactor } = (await app.call('user', 'secondFactor', { userId: sam.id }, token)).body;
    expect(secondFactor).toEqual({ isOn: true, backupCodes: 8 });
  });

  it('are hashed, end with new ones, and go with the app', async () => {
    const { token } = await guarded(sam.data.emailAddress);
    const { codes } = (await app.call('user', 'makeBackupCodes', {}, token)).body;
    const stored = await app.stored<{ mac: Buffer }>('select mac from identity_backup_code');
    expect(stored.map(({ mac }) => mac.length)).toEqual(Array(10).fill(32));
    await app.call('user', 'makeBackupCodes', {}, token);
    const { Session } = await begin(sam.data.emailAddress);
    expect((await answer(sam.data.emailAddress, Session, codes[0])).body.__type).toBe('CodeMismatchException');
    await app.pool('SetUserMFAPreference', { AccessToken: token, SoftwareTokenMfaSettings: { Enabled: false } });
    expect(await app.stored('select 1 from identity_backup_code')).toEqual([]);
    expect(said(await app.call('user', 'makeBackupCodes', {}, token))).toBe('not found');
  });

  it('are guessed at no faster than codes of the app', async () => {
    const { token } = await guarded(noor.data.emailAddress);
    const [good] = (await app.call('user', 'makeBackupCodes', {}, token)).body.codes;
    const outcomes: string[] = [];
    still = Date.now();
    for (let count = 0; count < 9; count += 1) {
      const { Session } = await begin(noor.data.emailAddress);
      for (let attempt = 0; attempt < 3; attempt += 1)
        outcomes.push((await answer(noor.data.emailAddress, Session, '00000-00000')).body.message);
    }
    expect(outcomes).toContain('Password attempts exceeded');
    const { Session } = await begin(noor.data.emailAddress);
    expect((await answer(noor.data.emailAddress, Session, good)).body.message).toBe('Password attempts exceeded');
    app.advance(24 * HOUR);
    const later = await begin(noor.data.emailAddress);
    expect((await answer(noor.data.emailAddress, later.Session, good)).status).toBe(200);
  });
});

describe('an admin', () => {
  it('turns a teammate’s off: with a mail, an event, and their sessions ended', async () => {
    const { token } = await guarded(sam.data.emailAddress);
    admin = await app.signIn(dana.data.emailAddress);
    const seen = await app.call('user', 'secondFactor', { userId: sam.id }, admin);
    expect(seen.body.secondFactor.isOn).toBe(true);
    expect(said(await app.call('user', 'resetSecondFactor', { userId: sam.id }, admin))).toBe('yes');
    expect(await isAsked(sam.data.emailAddress)).toBe(false);
    expect((await app.call('user', 'get', { userId: sam.id }, token)).status).toBe(401);
    await app.mailTo(sam.data.emailAddress, `Done by: ${dana.data.displayName}`);
    const recorded = await app.stored("select actor, subject from event where name = 'user.second-factor-reset' and account_id = $1", [
      ACCOUNT_ID,
    ]);
    expect(recorded).toEqual([{ actor: dana.id, subject: sam.id }]);
    expect(said(await app.call('user', 'resetSecondFactor', { userId: sam.id }, admin))).toBe('not found');
  });

  it('can neither turn their own off so, nor see that of others without being one', async () => {
    admin = await app.signIn(dana.data.emailAddress);
    expect(said(await app.call('user', 'resetSecondFactor', { userId: dana.id }, admin))).toBe('not-allowed');
    const member = await app.signIn(sam.data.emailAddress);
    expect(said(await app.call('user', 'secondFactor', { userId: dana.id }, member))).toBe('not-allowed');
    expect(said(await app.call('user', 'secondFactor', { userId: sam.id }, member))).toBe('yes');
  });
});

describe('an operator', () => {
  const about = { accountId: otherAccount.accountId, userId: otherAccount.userId };
  const done = async () =>
    (await app.stored(`select id from pgboss.job where name = 'second-factor.reset' and state = 'completed'`)).length;
  const work = async () => {
    const { platform } = app.app;
    const before = await done();
    await platform.database.transaction({}, (db) => platform.jobs.queue(db, 'second-factor.reset', {}));
    await vi.waitFor(async () => expect(await done()).toBeGreaterThan(before), { timeout: 60_000, interval: 100 });
  };
  let operator: string;
  beforeEach(async () => {
    operator = await signInAsOperator(app);
  });
  const request = (of: object = about) => app.call('user', 'requestSecondFactorReset', { ...of, reason: 'A call from the shop' }, operator);
  const look = async () => (await app.call('user', 'masterSecondFactor', about, operator)).body;

  it('asks for a sole admin’s reset, which is refused by the mailed link', async () => {
    await guarded(otherAccount.email);
    const { due } = (await request()).body.reset;
    expect(due).toBeGreaterThan(app.app.platform.now() + 23 * HOUR);
    const mail = await app.mailTo(otherAccount.email, `Asked by: ${dana.data.emailAddress}`);
    expect((await look()).reset).toMatchObject({ askedBy: dana.data.emailAddress, due });
    const [, key = ''] = /#keep-two-step=([\w-]+)/.exec(mail) ?? [];
    expect(said(await app.call('user', 'refuseSecondFactorReset', { key }))).toBe('yes');
    expect((await look()).reset).toBeNull();
    expect(said(await app.call('user', 'refuseSecondFactorReset', { key }))).toBe('not found');
    const acts = (await app.call('account', 'auditLog', {}, operator)).body.entries.map(({ act }: { act: string }) => act);
    expect(acts).toEqual(
      expect.arrayContaining(['user.second-factor-reset-requested', 'user.second-factor-reset-refused', 'user.second-factor-seen']),
    );
  });

  it('withdraws it; and signing in with the app does', async () => {
    const { secret } = await guarded(otherAccount.email);
    await request();
    expect(said(await app.call('user', 'cancelSecondFactorReset', about, operator))).toBe('yes');
    expect(said(await app.call('user', 'cancelSecondFactorReset', about, operator))).toBe('not found');
    await request();
    const { Session } = await begin(otherAccount.email);
    expect((await answer(otherAccount.email, Session, oneTimePassword(secret, app.app.platform))).status).toBe(200);
    expect((await look()).reset).toBeNull();
  });

  it('is no way round another admin, and asks for nothing that is off', async () => {
    expect(said(await request())).toBe('conflict');
    await guarded(sam.data.emailAddress);
    expect(said(await request({ accountId: ACCOUNT_ID, userId: sam.id }))).toBe('conflict');
    expect(said(await request({ accountId: ACCOUNT_ID, userId: otherAccount.userId }))).toBe('not found');
  });

  it('sees it done after a day, and not before', async () => {
    const { token } = await guarded(otherAccount.email);
    await request();
    app.advance(24 * HOUR - MINUTE);
    await work();
    expect(await isAsked(otherAccount.email)).toBe(true);
    app.advance(2 * MINUTE);
    await work();
    await app.mailTo(otherAccount.email, 'Your two-step sign-in was turned off');
    expect(await isAsked(otherAccount.email)).toBe(false);
    expect((await app.call('user', 'get', { userId: otherAccount.userId }, token)).status).toBe(401);
  });
});
