import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ACCOUNT_ID, dana, noor, sam } from '#fixtures/business.ts';
import { openTestApp, SAMPLE_PASSWORD, type TestApp } from '../../test/support/app.ts';
import { oneTimePassword } from '../../test/support/one-time-password.ts';
import { setUpApp, signInAsOperator } from '../../test/support/operator.ts';
import { addOtherAccount, otherAccount } from '../../test/support/other-account.ts';
import { PATIENT } from '../../test/support/patience.ts';

/* Resets of two-step sign-in: who may do them, when, and who is notified. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let app: TestApp;
let admin: string;
/** The frozen time, if set (UTC ms), so that growing waits don't end because a machine is slow. */
let frozenAt: number | undefined;
beforeAll(async () => {
  app = await openTestApp({
    settings: { OPERATOR_EMAILS: dana.data.emailAddress },
    clock: () => frozenAt ?? Date.now(),
    also: addOtherAccount,
  });
});
beforeEach(async () => {
  frozenAt = undefined;
  app.advance(3 * HOUR);
  for (const table of ['identity_totp', 'identity_factor_reset']) await app.stored(`delete from ${table}`);
});
afterAll(() => app.stop());

const outcomeOf = ({ status, body }: { status: number; body: { code?: string; status?: string } }) =>
  status === 200 ? 'yes' : (body.code ?? body.status);
const begin = async (USERNAME: string) =>
  (await app.pool('InitiateAuth', { AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME, PASSWORD: SAMPLE_PASSWORD } })).body;
const answer = (USERNAME: string, Session: string, code: string) =>
  app.pool('RespondToAuthChallenge', {
    ChallengeName: 'SOFTWARE_TOKEN_MFA',
    Session,
    ChallengeResponses: { USERNAME, SOFTWARE_TOKEN_MFA_CODE: code },
  });
const needsCode = async (email: string): Promise<boolean> => 'Session' in (await begin(email));

/** Turns on two-step sign-in, and returns its secret and the token of the session. */
async function turnOn(email: string): Promise<{ token: string; secret: string }> {
  const token = await app.signIn(email);
  return { token, secret: await setUpApp(app, token) };
}

describe('an operation that requires a recent sign-in', () => {
  it('is refused with sign-in-again after a quarter of an hour, for every caller', async () => {
    admin = await app.signIn(dana.data.emailAddress);
    app.advance(15 * MINUTE + 1_000);
    const ask = (action: string, sent: object) => app.call('user', action, sent, admin);
    expect(outcomeOf(await ask('makeBackupCodes', {}))).toBe('sign-in-again');
    expect(outcomeOf(await ask('resetSecondFactor', { userId: sam.id }))).toBe('sign-in-again');
    expect(outcomeOf(await app.call('account', 'delete', { accountId: ACCOUNT_ID, displayName: 'x' }, admin))).toBe('sign-in-again');
    const operator = await signInAsOperator(app);
    app.advance(15 * MINUTE + 1_000);
    const deletion = { accountId: otherAccount.accountId, reason: 'asked for' };
    expect(outcomeOf(await app.call('account', 'masterDelete', deletion, operator))).toBe('sign-in-again');
    expect(await app.stored('select 1 from account where deleted is not null')).toEqual([]);
  });

  it('is refused with not-allowed to people without access', async () => {
    const member = await app.signIn(sam.data.emailAddress);
    expect(outcomeOf(await app.call('user', 'resetSecondFactor', { userId: noor.id }, member))).toBe('not-allowed');
  });
});

describe('backup codes', () => {
  it('replace the app’s code, each once, and their use is reported by mail', async () => {
    const { token, secret } = await turnOn(sam.data.emailAddress);
    const { codes } = (await app.call('user', 'makeBackupCodes', {}, token)).body;
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    const [first, second] = codes;
    const { Session } = await begin(sam.data.emailAddress);
    expect((await answer(sam.data.emailAddress, Session, first.toLowerCase().replace('-', ''))).body.AuthenticationResult).toBeDefined();
    await app.mailTo(sam.data.emailAddress, '9 codes are left');
    const secondTry = await begin(sam.data.emailAddress);
    expect((await answer(sam.data.emailAddress, secondTry.Session, first)).body.__type).toBe('CodeMismatchException');
    expect((await answer(sam.data.emailAddress, secondTry.Session, second)).status).toBe(200);
    const third = await begin(sam.data.emailAddress);
    expect((await answer(sam.data.emailAddress, third.Session, oneTimePassword(secret, app.app.platform))).status).toBe(200);
    const { secondFactor } = (await app.call('user', 'secondFactor', { userId: sam.id }, token)).body;
    expect(secondFactor).toEqual({ isOn: true, backupCodes: 8 });
  });

  it('are hashed, replaced by new ones, and deleted with the app', async () => {
    const { token } = await turnOn(sam.data.emailAddress);
    const { codes } = (await app.call('user', 'makeBackupCodes', {}, token)).body;
    const stored = await app.stored<{ mac: Buffer }>('select mac from identity_backup_code');
    expect(stored.map(({ mac }) => mac.length)).toEqual(Array(10).fill(32));
    await app.call('user', 'makeBackupCodes', {}, token);
    const { Session } = await begin(sam.data.emailAddress);
    expect((await answer(sam.data.emailAddress, Session, codes[0])).body.__type).toBe('CodeMismatchException');
    await app.pool('SetUserMFAPreference', { AccessToken: token, SoftwareTokenMfaSettings: { Enabled: false } });
    expect(await app.stored('select 1 from identity_backup_code')).toEqual([]);
    expect(outcomeOf(await app.call('user', 'makeBackupCodes', {}, token))).toBe('not found');
  });

  it('have the same limit of attempts as the app’s codes', async () => {
    const { token } = await turnOn(noor.data.emailAddress);
    const [good] = (await app.call('user', 'makeBackupCodes', {}, token)).body.codes;
    const outcomes: string[] = [];
    frozenAt = Date.now();
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
  it('turns off a teammate’s two-step sign-in, which sends a mail, records an event and ends their sessions', async () => {
    const { token } = await turnOn(sam.data.emailAddress);
    admin = await app.signIn(dana.data.emailAddress);
    const before = await app.call('user', 'secondFactor', { userId: sam.id }, admin);
    expect(before.body.secondFactor.isOn).toBe(true);
    expect(outcomeOf(await app.call('user', 'resetSecondFactor', { userId: sam.id }, admin))).toBe('yes');
    expect(await needsCode(sam.data.emailAddress)).toBe(false);
    expect((await app.call('user', 'get', { userId: sam.id }, token)).status).toBe(401);
    await app.mailTo(sam.data.emailAddress, `Done by: ${dana.data.displayName}`);
    const recorded = await app.stored("select actor, subject from event where name = 'user.second-factor-reset' and account_id = $1", [
      ACCOUNT_ID,
    ]);
    expect(recorded).toEqual([{ actor: dana.id, subject: sam.id }]);
    expect(outcomeOf(await app.call('user', 'resetSecondFactor', { userId: sam.id }, admin))).toBe('not found');
  });

  it('cannot reset their own, and members can see only theirs', async () => {
    admin = await app.signIn(dana.data.emailAddress);
    expect(outcomeOf(await app.call('user', 'resetSecondFactor', { userId: dana.id }, admin))).toBe('not-allowed');
    const member = await app.signIn(sam.data.emailAddress);
    expect(outcomeOf(await app.call('user', 'secondFactor', { userId: dana.id }, member))).toBe('not-allowed');
    expect(outcomeOf(await app.call('user', 'secondFactor', { userId: sam.id }, member))).toBe('yes');
  });
});

describe('an operator', () => {
  const about = { accountId: otherAccount.accountId, userId: otherAccount.userId };
  const countDone = async () =>
    (await app.stored(`select id from pgboss.job where name = 'second-factor.reset' and state = 'completed'`)).length;
  const work = async () => {
    const { platform } = app.app;
    const before = await countDone();
    await platform.database.transaction({}, (db) => platform.jobs.queue(db, 'second-factor.reset', {}));
    await vi.waitFor(async () => expect(await countDone()).toBeGreaterThan(before), PATIENT);
  };
  let operator: string;
  beforeEach(async () => {
    operator = await signInAsOperator(app);
  });
  const request = (of: object = about) => app.call('user', 'requestSecondFactorReset', { ...of, reason: 'A call from the shop' }, operator);
  const resetStatus = async () => (await app.call('user', 'masterSecondFactor', about, operator)).body;

  it('requests a sole admin’s reset, which the emailed link refuses', async () => {
    await turnOn(otherAccount.email);
    const { due } = (await request()).body.reset;
    expect(due).toBeGreaterThan(app.app.platform.now() + 23 * HOUR);
    const mail = await app.mailTo(otherAccount.email, `Asked by: ${dana.data.emailAddress}`);
    expect((await resetStatus()).reset).toMatchObject({ askedBy: dana.data.emailAddress, due });
    const [, key = ''] = /#keep-two-step=([\w-]+)/.exec(mail) ?? [];
    expect(outcomeOf(await app.call('user', 'refuseSecondFactorReset', { key }))).toBe('yes');
    expect((await resetStatus()).reset).toBeNull();
    expect(outcomeOf(await app.call('user', 'refuseSecondFactorReset', { key }))).toBe('not found');
    const names = (await app.call('account', 'auditLog', {}, operator)).body.entries.map(({ act }: { act: string }) => act);
    expect(names).toEqual(
      expect.arrayContaining(['user.second-factor-reset-requested', 'user.second-factor-reset-refused', 'user.second-factor-seen']),
    );
  });

  it('cancels it, and so does signing in with the app', async () => {
    const { secret } = await turnOn(otherAccount.email);
    await request();
    expect(outcomeOf(await app.call('user', 'cancelSecondFactorReset', about, operator))).toBe('yes');
    expect(outcomeOf(await app.call('user', 'cancelSecondFactorReset', about, operator))).toBe('not found');
    await request();
    const { Session } = await begin(otherAccount.email);
    expect((await answer(otherAccount.email, Session, oneTimePassword(secret, app.app.platform))).status).toBe(200);
    expect((await resetStatus()).reset).toBeNull();
  });

  it('cannot request it if there is another admin or it is off', async () => {
    expect(outcomeOf(await request())).toBe('conflict');
    await turnOn(sam.data.emailAddress);
    expect(outcomeOf(await request({ accountId: ACCOUNT_ID, userId: sam.id }))).toBe('conflict');
    expect(outcomeOf(await request({ accountId: ACCOUNT_ID, userId: otherAccount.userId }))).toBe('not found');
  });

  it('has the reset done after a day, not before', async () => {
    const { token } = await turnOn(otherAccount.email);
    await request();
    app.advance(24 * HOUR - MINUTE);
    await work();
    expect(await needsCode(otherAccount.email)).toBe(true);
    app.advance(2 * MINUTE);
    await work();
    await app.mailTo(otherAccount.email, 'Your two-step sign-in was turned off');
    expect(await needsCode(otherAccount.email)).toBe(false);
    expect((await app.call('user', 'get', { userId: otherAccount.userId }, token)).status).toBe(401);
  });
});
