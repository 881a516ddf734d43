import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dana, sam } from '#fixtures/business.ts';
import { openTestApp, SAMPLE_PASSWORD, type TestApp } from '../../test/support/app.ts';
import { signInAsOperator } from '../../test/support/operator.ts';
import { PATIENT } from '../../test/support/patience.ts';
import { refuseNewBusiness } from './business.ts';

/* Registration by invitation or closed, and accounts without plans. */

const OLGA = 'olga@operator.test';
const MIA = 'mia@pier.test';
const BUSINESS = { companyName: 'Pier 9', displayName: 'Mia Chen', emailAddress: MIA };
const signUp = (app: TestApp) => app.call('user', 'create', { password: SAMPLE_PASSWORD, payload: { data: BUSINESS } });

describe('by invitation, and without plans', () => {
  let app: TestApp;
  let operator: string;
  beforeAll(async () => {
    app = await openTestApp({
      settings: { REGISTRATION: 'invitation', BILLING: 'none', OPERATOR_EMAILS: `${OLGA},${dana.data.emailAddress}` },
    });
    operator = await signInAsOperator(app);
  });
  afterAll(() => app.stop());

  const invite = () => app.call('account', 'invite', BUSINESS, operator);
  const keyMailed = async () => /#invite=([\w-]+)/.exec(await app.mailTo(MIA, 'Open your account'))?.[1] ?? '';
  const isExpired = async (key: string) => (await app.call('user', 'invitation', { key })).body.status === 'not found';

  it('refuses a sign-up, and creates no one', async () => {
    const { status, body } = await signUp(app);
    expect([status, body.code, body.detail]).toEqual([403, 'sign-up-closed', expect.stringContaining('by invitation')]);
    expect(await app.stored('select from identity_user where email = $1', [MIA])).toEqual([]);
    expect((await app.app.http.inject('/api/config')).json()).toMatchObject({ registration: 'invitation', billing: { kind: 'none' } });
    expect((await app.app.http.inject('/about')).body).not.toContain('/signup');
  });

  it('allows teams to invite people', async () => {
    const data = { displayName: 'Ann Lee', emailAddress: 'ann@harborcoffee.test', level: 'user' };
    expect((await app.call('user', 'generate', { payload: { data } }, operator)).body.success).toBe(true);
    const [, key = ''] = /#invite=([\w-]+)/.exec(await app.mailTo(data.emailAddress, '#invite=')) ?? [];
    expect((await app.call('user', 'accept', { key, password: SAMPLE_PASSWORD })).body.success).toBe(true);
  });

  it('lets only operators invite a business, reuses its account, and refuses people who already sign in', async () => {
    expect((await app.call('account', 'invite', BUSINESS, await app.signIn(sam.data.emailAddress))).body.code).toBe('not-allowed');
    expect((await invite()).body).toEqual({ status: 'ok', isOwn: false });
    const before = await keyMailed();
    expect((await invite()).body).toEqual({ status: 'ok', isOwn: false });
    await expect.poll(() => isExpired(before)).toBe(true);
    expect(await app.stored(`select from account where display_name = 'Pier 9'`)).toHaveLength(1);
    const existing = await app.call('account', 'invite', { ...BUSINESS, emailAddress: dana.data.emailAddress }, operator);
    expect(existing.body.code).toBe('conflict');
    const { body } = await app.call('account', 'auditLog', {}, operator);
    expect(body.entries[0]).toMatchObject({ by: dana.id, act: 'account.invited', detail: 'Pier 9' });
  });

  it('opens an operator’s own account at once', async () => {
    const ownBusiness = { ...BUSINESS, emailAddress: OLGA, companyName: 'Pier 2' };
    await app.app.inviteOperators();
    const [, key = ''] = /#invite=([\w-]+)/.exec(await app.mailTo(OLGA, '#invite=')) ?? [];
    await app.call('user', 'accept', { key, password: SAMPLE_PASSWORD });
    const olga = await signInAsOperator(app, OLGA);
    expect((await app.call('account', 'invite', ownBusiness, olga)).body).toEqual({ status: 'ok', isOwn: true });
    expect((await app.call('account', 'getStarted', { businessName: 'Pier 2' }, olga)).body.account.data.displayName).toBe('Pier 2');
    expect((await app.call('account', 'invite', ownBusiness, olga)).body.code).toBe('conflict');
  });

  it('lets the invited person in, who skips the plans', async () => {
    const key = await vi.waitFor(async () => {
      const latest = await keyMailed();
      expect(await isExpired(latest)).toBe(false);
      return latest;
    }, PATIENT);
    const { body: answer } = await app.call('user', 'invitation', { key });
    expect(answer.invitation).toEqual({ displayName: 'Mia Chen', emailAddress: MIA, companyName: 'Pier 9', isNewAccount: true });
    expect((await app.call('user', 'accept', { key, password: SAMPLE_PASSWORD })).body.success).toBe(true);
    const admin = await app.signIn(MIA);
    const { body } = await app.call('account', 'getStarted', { businessName: 'Pier 9' }, admin);
    expect(body.account.data).toMatchObject({
      displayName: 'Pier 9',
      subscription: { status: 'active', plan: 'Beta', cost: 0, phase: 'none' },
    });
    expect((await app.call('account', 'getStarted', { businessName: 'Pier 9' }, admin)).body.code).toBe('conflict');
    expect((await invite()).body.code).toBe('conflict');
  });
});

it('refuses operators too if registration is closed', () => {
  expect(() => refuseNewBusiness({ registration: 'closed' }, { byOperator: true })).toThrow('Sign-up is closed.');
});
