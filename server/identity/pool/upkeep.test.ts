import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestPool, type TestPool } from '../../../test/support/identity.ts';
import { recordBatchSizes } from '../../../test/support/postgres/batch-sizes.ts';

const DAY = 86_400_000;

let pool: TestPool;
beforeAll(async () => {
  pool = await openTestPool();
});
afterAll(() => pool.stop());

/** Runs the job that is scheduled every 15 minutes. */
const upkeep = async () => pool.identity.work['identity.upkeep']?.({ data: {}, isLast: false, signal: AbortSignal.timeout(5_000) });

const count = async (table: string): Promise<number> => (await pool.stored(`select 1 from ${table}`)).length;

const expectLeft = async (table: string, left: number): Promise<void> => {
  await upkeep();
  expect(await count(table)).toBe(left);
};

it('deletes only old sessions and failures', async () => {
  const { email } = await pool.add();
  await pool.signIn(email);
  await pool.signIn('nobody@pool.test');
  pool.advance(3 * DAY);
  await pool.signIn(email);
  await pool.signIn('somebody-else@pool.test');
  await pool.stored(
    "update identity_throttle set locked_until = now() + interval '300 days' where key in (select key from identity_throttle limit 1)",
  );
  expect([await count('identity_session'), await count('identity_refresh_token'), await count('identity_throttle')]).toEqual([2, 2, 5]);

  pool.advance(11 * DAY + 1);
  await expectLeft('identity_session', 1);
  expect([await count('identity_refresh_token'), await count('identity_throttle')]).toEqual([1, 5]);

  pool.advance(30 * DAY);
  // A lock stays.
  await expectLeft('identity_throttle', 1);
  expect(await count('identity_session')).toBe(0);
  await pool.stored('delete from identity_throttle');
});

it('deletes codes, challenges and invitations a day after they expire', async () => {
  const { sub } = await pool.add('late@pool.test', { confirmed: false });
  await pool.database.transaction({}, (db) => pool.identity.invite(db, { sub: randomUUID(), email: 'new@pool.test', name: '' }));
  await pool.stored("insert into identity_challenge (session, sub, credential, expires) values ('\\x01', $1, 1, $2)", [
    sub,
    new Date(pool.now()),
  ]);
  const left = async () => [await count('identity_challenge'), await count('identity_code'), await count('identity_invitation')];
  expect(await left()).toEqual([1, 1, 1]);
  pool.advance(DAY + 1_000);
  await expectLeft('identity_challenge', 0);
  expect(await left()).toEqual([0, 1, 1]);
  pool.advance(DAY);
  await expectLeft('identity_code', 0);
  expect(await left()).toEqual([0, 0, 1]);
  pool.advance(6 * DAY);
  await expectLeft('identity_invitation', 0);
});

it('deletes any number of rows in batches', async () => {
  await pool.stored('delete from identity_throttle');
  await pool.stored(
    `insert into identity_throttle (key, failures, since, last, locked_until)
     select decode(md5(n::text), 'hex'), 1, $1, $1, $1 from generate_series(1, 12000) as n`,
    [new Date(pool.now())],
  );
  const batchSizes = await recordBatchSizes(pool.stored, 'identity_throttle');
  pool.advance(31 * DAY);
  await expectLeft('identity_throttle', 0);
  expect(await batchSizes()).toEqual([5_000, 5_000, 2_000]);
});

it('deletes the rest if one table fails, and everything at the next run', async () => {
  await pool.signIn((await pool.add()).email);
  pool.advance(30 * DAY);
  await pool.stored('alter table identity_throttle rename to elsewhere');
  // The queue logs it and tries again.
  await expect(upkeep()).rejects.toThrow(/identity_throttle/);
  expect(await count('identity_session')).toBe(0);
  await pool.stored('alter table elsewhere rename to identity_throttle');
  pool.advance(30 * DAY);
  await upkeep();
  expect([await count('identity_session'), await count('identity_throttle')]).toEqual([0, 0]);
});
