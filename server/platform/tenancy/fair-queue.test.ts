import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ID, dana, noor, pier, sam } from '#fixtures/business.ts';
import { openTestApp, SAMPLE_PASSWORD, type TestApp } from '../../../test/support/app.ts';
import { addOtherAccount, otherAccount } from '../../../test/support/other-account.ts';
import { newKey, submission } from '../../../test/support/submission.ts';
import { openShares, type Shares } from './fair-queue.ts';

/* Who asks for much waits behind their own; the others do not notice. */

describe('a share', () => {
  const hang = () => new Promise<void>(() => undefined);
  /** Takes a part and keeps it, or waits for one. */
  const hold = (take: Shares['take'], who: string) => void take(who, hang).catch(() => undefined);
  const shares = (limits: { waiting?: number; patience?: number } = {}) => openShares({ most: 2, waiting: 2, patience: 10_000, ...limits });

  it('is of each, and leaves the others theirs', async () => {
    const { take } = shares();
    for (let count = 0; count < 4; count += 1) hold(take, 'greedy');
    expect(await take('other', async () => 'done')).toBe('done');
  });

  it('is waited for by so many', async () => {
    const { take } = shares();
    for (let count = 0; count < 4; count += 1) hold(take, 'greedy');
    await expect(take('greedy', hang)).rejects.toMatchObject({ code: 'overloaded', retryAfter: 1 });
  });

  it('is waited for so long', async () => {
    const { take } = shares({ patience: 20 });
    for (let count = 0; count < 2; count += 1) hold(take, 'greedy');
    await expect(take('greedy', hang)).rejects.toMatchObject({ code: 'overloaded', retryAfter: 1 });
  });

  it('is had again after what failed', async () => {
    const { take } = shares({ waiting: 0 });
    const fail = () => take('unlucky', () => Promise.reject(new Error('no')));
    for (let count = 0; count < 5; count += 1) await expect(fail()).rejects.toThrow('no');
  });

  it('is the group’s for whoever joined it', async () => {
    const { take, join } = shares({ waiting: 0 });
    join('one', 'team');
    join('other', 'team');
    hold(take, 'one');
    hold(take, 'other');
    await expect(take('one', hang)).rejects.toMatchObject({ code: 'overloaded' });
  });

  it('is the group’s for whoever is introduced, who is asked for once', async () => {
    const { take, introduce } = shares({ waiting: 0 });
    const asked: string[] = [];
    const find = (member: string) => async () => {
      asked.push(member);
      return 'team';
    };
    await Promise.all(['one', 'one', 'other', 'one', 'other'].map((member) => introduce(member, find(member))));
    await introduce('one', find('one'));
    expect(asked).toEqual(['one', 'other']);
    hold(take, 'one');
    hold(take, 'other');
    await expect(take('one', hang)).rejects.toMatchObject({ code: 'overloaded' });
  });

  it('is asked for again after nothing was found, or it failed', async () => {
    const { introduce } = shares();
    let asked = 0;
    const find = (found: Promise<undefined>) => () => {
      asked += 1;
      return found;
    };
    await introduce('one', find(Promise.resolve(undefined)));
    await expect(introduce('one', find(Promise.reject(new Error('away'))))).rejects.toThrow('away');
    await introduce('one', find(Promise.resolve(undefined)));
    expect(asked).toBe(3);
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

  it('are left to other accounts by one whose requests all wait', async () => {
    const [ours, theirs] = [await app.signIn(), await app.signIn(otherAccount.email)];
    await app.call('user', 'get', { userId: dana.id }, ours);
    await locker.query('begin');
    await locker.query('select from "user" where account_id = $1 for update', [ACCOUNT_ID]);
    const stuck = Array.from({ length: 40 }, () =>
      app.call('user', 'save', { payload: { id: dana.id, data: { displayName: 'Dana M' } } }, ours),
    );
    await expect.poll(waiting, { timeout: 60_000, interval: 20 }).toBe(4);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.call('feedback', 'list', { accountId: otherAccount.accountId }, theirs)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    await locker.query('rollback');
    await Promise.all(stuck);
  });

  it('are left to others by people of one account who all are new', async () => {
    const newcomers = [sam, noor];
    const tokens = await Promise.all(newcomers.map(({ data }) => app.signIn(data.emailAddress)));
    await locker.query('begin');
    await locker.query('select from "user" where account_id = $1 for update', [ACCOUNT_ID]);
    const stuck = newcomers.flatMap(({ id }, place) =>
      Array.from({ length: 20 }, () => app.call('user', 'save', { payload: { id, data: { displayName: 'New' } } }, tokens[place])),
    );
    await expect.poll(waiting, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(4);
    // As many as began together are waiting now.
    await app.app.http.inject('/health/ready');
    expect(await waiting()).toBe(4);
    await locker.query('rollback');
    await Promise.all(stuck);
  });

  it('are used by one search and one count of an account at a time', async () => {
    const [token, theirs] = [await app.signIn(), await app.signIn(otherAccount.email)];
    await locker.query('begin');
    await locker.query('lock table feedback, feedback_tally in access exclusive mode');
    const [to, accountId] = [Date.now(), ACCOUNT_ID];
    const stuck = Array.from({ length: 8 }, (_, place) =>
      place % 2 === 0
        ? app.call('feedback', 'list', { accountId, text: 'coffee' }, token)
        : app.call('feedback', 'summary', { accountId, from: to - 86_400_000, to, zone: 'UTC' }, token),
    );
    await expect.poll(waiting, { timeout: 1_500, interval: 20 }).toBeGreaterThanOrEqual(2);
    expect((await app.call('property', 'list', { accountId: otherAccount.accountId }, theirs)).status).toBe(200);
    expect(await waiting()).toBe(2);
    await locker.query('rollback');
    expect((await Promise.all(stuck)).map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  it('are left to the team by visitors who amend, and to visitors by the team', async () => {
    const token = await app.signIn();
    const key = newKey();
    await app.call('feedback', 'save', submission({ rating: 2 }, { key }));
    await locker.query('begin');
    await locker.query('select from feedback where account_id = $1 for update', [ACCOUNT_ID]);
    const stuck = Array.from({ length: 40 }, () => app.call('feedback', 'save', submission({ rating: 3, text: 'hm' }, { key })));
    await expect.poll(waiting, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(4);
    expect((await app.call('feedback', 'list', { propertyId: pier.id }, token)).status).toBe(200);
    expect((await app.call('feedback', 'save', submission({ rating: 5 }))).status).toBe(200);
    await locker.query('rollback');
    await Promise.all(stuck);
  });

  it('are left to other networks by one whose sign-ins all wait', async () => {
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
    await expect.poll(waiting, { timeout: 60_000, interval: 20 }).toBe(4);
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
