import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openTestPool, type TestPool } from '../../test/support/identity.ts';

const QUARTER = 15 * 60_000;
const DAY = 86_400_000;

let pool: TestPool;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  pool = await openTestPool();
});
afterAll(async () => {
  await pool.stop();
  vi.useRealTimers();
});

const count = async (table: string): Promise<number> => (await pool.stored(`select 1 from ${table}`)).length;

it('forgets sessions and failures that no longer matter, and those only', async () => {
  const { email } = await pool.add();
  await pool.signIn(email);
  await pool.signIn('nobody@pool.test');
  pool.advance(3 * DAY);
  await pool.signIn(email);
  await pool.signIn('somebody-else@pool.test');
  expect([await count('identity_session'), await count('identity_refresh_token'), await count('identity_throttle')]).toEqual([2, 2, 5]);

  vi.advanceTimersByTime(QUARTER);
  // Of the one who was tried three days ago nothing is left; of today's there is the account, its neighbourhood, and the address.
  await vi.waitFor(async () => expect(await count('identity_throttle')).toBe(3));
  expect(await count('identity_session')).toBe(2);

  pool.advance(11 * DAY + 1);
  vi.advanceTimersByTime(QUARTER);
  await vi.waitFor(async () => expect(await count('identity_session')).toBe(1));
  expect(await count('identity_refresh_token')).toBe(1);
});

it('goes on when the database does not', async () => {
  await pool.stored('alter table identity_throttle rename to elsewhere');
  vi.advanceTimersByTime(QUARTER);
  await vi.waitFor(() => expect(pool.log.join('')).toContain('old sessions could not be removed'));
  await pool.stored('alter table elsewhere rename to identity_throttle');
  pool.advance(30 * DAY);
  vi.advanceTimersByTime(QUARTER);
  await vi.waitFor(async () => expect([await count('identity_session'), await count('identity_throttle')]).toEqual([0, 0]));
});
