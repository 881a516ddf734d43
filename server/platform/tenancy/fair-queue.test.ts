import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ID, dana, noor, pier, sam } from '#fixtures/business.ts';
import { openTestApp, SAMPLE_PASSWORD, type TestApp } from '../../../test/support/app.ts';
import { addOtherAccount, otherAccount } from '../../../test/support/other-account.ts';
import { newKey, submission } from '../../../test/support/submission.ts';
import { type FairQueue, openFairQueue } from './fair-queue.ts';

/* A heavy caller waits behind its own requests; no one else is affected. */

describe('a fair queue', () => {
  const hang = () => new Promise<void>(() => undefined);
  /** Occupies a slot for good, or waits for one. */
  const occupy = (run: FairQueue['run'], member: string) => void run(member, hang).catch(() => undefined);
  const open = (limits: { waiting?: number; patience?: number } = {}) =>
    openFairQueue({ most: 2, waiting: 2, patience: 10_000, ...limits });

  it('leaves other callers their slots', async () => {
    const { run } = open();
    for (let count = 0; count < 4; count += 1) occupy(run, 'greedy');
    expect(await run('other', async () => 'done')).toBe('done');
  });

  it('refuses work once too much of a caller waits', async () => {
    const { run } = open();
    for (let count = 0; count < 4; count += 1) occupy(run, 'greedy');
    await expect(run('greedy', hang)).rejects.toMatchObject({ code: 'overloaded', retryAfter: 1 });
  });

  it('refuses work that waits too long', async () => {
    const { run } = open({ patience: 20 });
    for (let count = 0; count < 2; count += 1) occupy(run, 'greedy');
    await expect(run('greedy', hang)).rejects.toMatchObject({ code: 'overloaded', retryAfter: 1 });
  });

  it('frees the slot of failed work', async () => {
    const { run } = open({ waiting: 0 });
    const fail = () => run('unlucky', () => Promise.reject(new Error('no')));
    for (let count = 0; count < 5; count += 1) await expect(fail()).rejects.toThrow('no');
  });

  it('gives the members of a group the slots of the group', async () => {
    const { run, join } = open({ waiting: 0 });
    join('dana', 'team');
    join('sam', 'team');
    occupy(run, 'dana');
    occupy(run, 'sam');
    await expect(run('dana', hang)).rejects.toMatchObject({ code: 'overloaded' });
  });

  it('looks up the group of a new member once', async () => {
    const { run, introduce } = open({ waiting: 0 });
    const lookups: string[] = [];
    const find = (member: string) => async () => {
      lookups.push(member);
      return 'team';
    };
    await Promise.all(['dana', 'dana', 'sam', 'dana', 'sam'].map((member) => introduce(member, find(member))));
    await introduce('dana', find('dana'));
    expect(lookups).toEqual(['dana', 'sam']);
    occupy(run, 'dana');
    occupy(run, 'sam');
    await expect(run('dana', hang)).rejects.toMatchObject({ code: 'overloaded' });
  });

  it('looks up the group again if there was none or the lookup failed', async () => {
    const { introduce } = open();
    let lookups = 0;
    const find = (result: Promise<undefined>) => () => {
      lookups += 1;
      return result;
    };
    await introduce('dana', find(Promise.resolve(undefined)));
    await expect(introduce('dana', find(Promise.reject(new Error('away'))))).rejects.toThrow('away');
    await introduce('dana', find(Promise.resolve(undefined)));
    expect(lookups).toBe(3);
  });
});

describe('the connections to the database', () => {
  let app: TestApp;
  let locker: pg.Client;
  beforeAll(async () => {
    app = await openTestApp({ also: addOtherAccount });
    locker = await app.connect();
  });
  afterAll(async () => {
    await locker.end();
    await app.stop();
  });

  it('stay free for other accounts while the requests of one are blocked', async () => {
    const [ours, theirs] = [await app.signIn(), await app.signIn(otherAccount.email)];
    await app.call('user', 'get', { userId: dana.id }, ours);
    await locker.query('begin');
    await locker.query('select from "user" where account_id = $1 for update', [ACCOUNT_ID]);
    const stuck = Array.from({ length: 40 }, () =>
      app.call('user', 'save', { payload: { id: dana.id, data: { displayName: 'Dana M' } } }, ours),
    );
    await expect.poll(waiting).toBe(4);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.call('feedback', 'list', { accountId: otherAccount.accountId }, theirs)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    await locker.query('rollback');
    await Promise.all(stuck);
  });

  it('stay free while the requests of one account’s new members are blocked', async () => {
    const newcomers = [sam, noor];
    const tokens = await Promise.all(newcomers.map(({ data }) => app.signIn(data.emailAddress)));
    await locker.query('begin');
    await locker.query('select from "user" where account_id = $1 for update', [ACCOUNT_ID]);
    const stuck = newcomers.flatMap(({ id }, index) =>
      Array.from({ length: 20 }, () => app.call('user', 'save', { payload: { id, data: { displayName: 'New' } } }, tokens[index])),
    );
    await expect.poll(waiting).toBeGreaterThanOrEqual(4);
    // The requests that started together are blocked.
    await app.app.http.inject('/health/ready');
    expect(await waiting()).toBe(4);
    await locker.query('rollback');
    await Promise.all(stuck);
  });

  it('serve one search and one summary of an account at a time', async () => {
    const [token, theirs] = [await app.signIn(), await app.signIn(otherAccount.email)];
    await locker.query('begin');
    await locker.query('lock table feedback, feedback_tally in access exclusive mode');
    const [to, accountId] = [Date.now(), ACCOUNT_ID];
    const stuck = Array.from({ length: 8 }, (_, index) =>
      index % 2 === 0
        ? app.call('feedback', 'list', { accountId, text: 'coffee' }, token)
        : app.call('feedback', 'summary', { accountId, from: to - 86_400_000, to, zone: 'UTC' }, token),
    );
    await expect.poll(waiting, { timeout: 1_500, interval: 20 }).toBeGreaterThanOrEqual(2);
    expect((await app.call('property', 'list', { accountId: otherAccount.accountId }, theirs)).status).toBe(200);
    expect(await waiting()).toBe(2);
    await locker.query('rollback');
    expect((await Promise.all(stuck)).map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  it('stay free for the team and new visitors while amendments are blocked', async () => {
    const token = await app.signIn();
    const key = newKey();
    await app.call('feedback', 'save', submission({ rating: 2 }, { key }));
    await locker.query('begin');
    await locker.query('select from feedback where account_id = $1 for update', [ACCOUNT_ID]);
    const stuck = Array.from({ length: 40 }, () => app.call('feedback', 'save', submission({ rating: 3, text: 'hm' }, { key })));
    await expect.poll(waiting).toBeGreaterThanOrEqual(4);
    expect((await app.call('feedback', 'list', { propertyId: pier.id }, token)).status).toBe(200);
    expect((await app.call('feedback', 'save', submission({ rating: 5 }))).status).toBe(200);
    await locker.query('rollback');
    await Promise.all(stuck);
  });

  it('stay free for other networks while the sign-ins of one are blocked', async () => {
    const clientId = (await app.app.http.inject('/api/config')).json().identity.userPoolClientId;
    const signIn = (remoteAddress: string, USERNAME: string) =>
      app.app.http.inject({
        method: 'POST',
        url: '/api/identity',
        remoteAddress,
        headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth' },
        payload: JSON.stringify({
          ClientId: clientId,
          AuthFlow: 'USER_PASSWORD_AUTH',
          AuthParameters: { USERNAME, PASSWORD: SAMPLE_PASSWORD },
        }),
      });
    await locker.query('begin');
    await locker.query('select from identity_user where email = $1 for update', [dana.data.emailAddress]);
    const stuck = Array.from({ length: 24 }, () => signIn('203.0.113.5', dana.data.emailAddress));
    await expect.poll(waiting).toBe(4);
    expect((await signIn('198.51.100.7', sam.data.emailAddress)).statusCode).toBe(200);
    await locker.query('rollback');
    await Promise.all(stuck);
  });

  async function waiting(): Promise<number> {
    const [row] = await app.stored<{ n: number }>(
      `select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row?.n ?? 0;
  }
});
