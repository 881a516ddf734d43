import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CallOptions, openTestPool, type PoolAnswer, type TestPool } from '../../../../test/support/identity.ts';
import { PATIENT } from '../../../../test/support/patience.ts';
import { HASHES_AT_ONCE } from '../secrets/passwords.ts';

const SECOND = 1_000;
const MINUTE = 60_000;

/** Node's thread pool, which hashes, opens files and so on. */
const THREADS = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);

let pool: TestPool;
let email: string;
let sub: string;
beforeAll(async () => {
  pool = await openTestPool();
});
beforeEach(async () => {
  ({ email, sub } = await pool.add());
  // Clears the failures of earlier tests.
  pool.advance(2 * 86_400_000);
});
afterAll(() => pool.stop());

type GuessOutcome = 'in' | 'wrong' | 'locked' | 'limited' | string;
const WORDS: Record<string, GuessOutcome> = {
  'Incorrect username or password.': 'wrong',
  'Password attempts exceeded': 'locked',
  'Attempt limit exceeded, please try after some time.': 'limited',
};
const outcome = ({ status, body }: PoolAnswer): GuessOutcome => (status === 200 ? 'in' : (WORDS[body.message] ?? body.message));
/** Retries while the process is too busy to check the password, as clients do: that is no guess. */
const attempt = async (...call: Parameters<TestPool['signIn']>): Promise<GuessOutcome> => {
  const answer = await pool.signIn(...call);
  return answer.status === 429 || answer.status >= 500 ? attempt(...call) : outcome(answer);
};
const guessWrong = (options: CallOptions & { deviceKey?: string } = {}, address = email) =>
  attempt(address, { password: `wrong ${randomUUID()}`, ...options });
const guessRight = (options: CallOptions & { deviceKey?: string } = {}) => attempt(email, options);
const times = async (count: number, work: (index: number) => Promise<GuessOutcome>): Promise<GuessOutcome[]> => {
  const outcomes: GuessOutcome[] = [];
  for (let index = 0; index < count; index += 1) outcomes.push(await work(index));
  return outcomes;
};

/** Runs as many at a time as the queue allows. */
const concurrently = async (count: number, work: (index: number) => Promise<GuessOutcome>): Promise<GuessOutcome[]> => {
  const outcomes: GuessOutcome[] = [];
  for (let index = 0; index < count; index += 33) {
    outcomes.push(...(await Promise.all(Array.from({ length: Math.min(33, count - index) }, (_, more) => work(index + more)))));
  }
  return outcomes;
};

describe('failures', () => {
  it('are free five times, then lock for a second, doubling up to 15 minutes', async () => {
    expect(await times(5, () => guessWrong())).toEqual(Array(5).fill('wrong'));
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      pool.advance(seconds * SECOND - 500);
      expect(await guessRight()).toBe('locked');
      pool.advance(600);
      expect(await guessWrong()).toBe('wrong');
    }
    pool.advance(900 * SECOND);
    expect(await guessRight()).toBe('in');
  });

  it('do not count while there is a lock', async () => {
    await times(5, () => guessWrong());
    expect(await times(20, () => guessWrong())).toEqual(Array(20).fill('locked'));
    pool.advance(1_100);
    expect(await guessRight()).toBe('in');
  });

  it('are cleared by a right password and after 15 quiet minutes', async () => {
    await times(4, () => guessWrong());
    expect(await guessRight()).toBe('in');
    expect(await times(5, () => guessWrong())).toEqual(Array(5).fill('wrong'));
    pool.advance(15 * MINUTE + 2 * SECOND);
    expect(await times(5, () => guessWrong())).toEqual(Array(5).fill('wrong'));
    expect(await guessRight()).toBe('locked');
  });

  it('are limited to five when fifty run at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => guessWrong()));
    expect(outcomes.filter((each) => each === 'wrong')).toHaveLength(5);
    expect(outcomes.filter((each) => each === 'locked')).toHaveLength(45);
  });

  it('in a process whose clock is ahead cause no lock elsewhere', async () => {
    pool.advance(3 * SECOND);
    expect(await times(3, () => guessWrong())).toEqual(Array(3).fill('wrong'));
    pool.advance(-3 * SECOND);
    expect(await guessRight()).toBe('in');
  });

  it('in one process count in the others', async () => {
    const second = await pool.openAnotherProcess();
    try {
      await times(5, () => guessWrong());
      expect(outcome(await second.signIn(email))).toBe('locked');
    } finally {
      await second.stop();
    }
  });

  it('from one network lock only that network', async () => {
    await times(5, (index) => guessWrong({ from: `203.0.113.${index}` }));
    expect(await guessRight({ from: '203.0.113.99' })).toBe('locked');
    expect(await guessRight({ from: '203.0.114.1' })).toBe('in');
    await times(5, (index) => guessWrong({ from: `2001:db8:1:2:${index}::1` }));
    expect(await guessRight({ from: '2001:db8:1:2:ffff::9' })).toBe('locked');
    expect(await guessRight({ from: '2001:db8:1:3::1' })).toBe('in');
  });

  it('from one address are limited to thirty in 15 minutes, for any accounts', async () => {
    const from = '192.0.2.77';
    expect(await times(30, (index) => guessWrong({ from }, `stranger${index}@pool.test`))).toEqual(Array(30).fill('wrong'));
    const limited = await pool.signIn(email, { from });
    expect([limited.status, limited.body.__type, outcome(limited)]).toEqual([400, 'LimitExceededException', 'limited']);
    expect(await guessRight({ from: '192.0.2.78' })).toBe('in');
    pool.advance(15 * MINUTE);
    expect(await guessRight({ from })).toBe('in');
  });

  it('don’t include right passwords', async () => {
    const from = '192.0.2.88';
    expect(await times(31, () => guessRight({ from }))).toEqual(Array(31).fill('in'));
    expect(await guessWrong({ from })).toBe('wrong');
  });

  it('are not cleared by signing in to one’s own account', async () => {
    const from = '192.0.2.99';
    for (let round = 0; round < 6; round += 1) {
      await times(5, (index) => guessWrong({ from }, `victim${round}-${index}@pool.test`));
      if (round < 5) expect(await guessRight({ from })).toBe('in');
    }
    expect(await guessRight({ from })).toBe('limited');
  });

  it('from a hundred networks lock the account for unknown browsers', async () => {
    const outcomes = await times(104, (index) => guessWrong({ from: `10.${index}.0.1` }));
    expect(outcomes.slice(0, 100)).toEqual(Array(100).fill('wrong'));
    expect(outcomes.slice(100)).toEqual(Array(4).fill('Password reset required for the user'));
  });

  it('lock an unknown address in the same way', async () => {
    const stranger = (index: number) => guessWrong({ from: `10.${index}.0.1` }, 'nobody-at-all@pool.test');
    expect(await concurrently(99, stranger)).toEqual(Array(99).fill('wrong'));
    expect(await times(2, stranger)).toEqual(['wrong', 'Password reset required for the user']);
  });

  it('count once for a retried call', async () => {
    const guess = { password: 'the same wrong one', invocation: randomUUID() };
    expect(outcome(await pool.signIn(email, guess))).toBe('wrong');
    const second = await pool.openAnotherProcess();
    try {
      for (let attempt = 0; attempt < 6; attempt += 1) expect(outcome(await second.signIn(email, guess))).toBe('wrong');
    } finally {
      await second.stop();
    }
    expect(await times(4, () => guessWrong())).toEqual(Array(4).fill('wrong'));
    expect(await guessWrong()).toBe('locked');
  });

  it('each count for one invocation id with different passwords', async () => {
    const invocation = randomUUID();
    expect(await times(6, () => guessWrong({ invocation }))).toEqual([...Array(5).fill('wrong'), 'locked']);
  });

  it('are stored without personal data', async () => {
    await guessWrong({ from: '203.0.113.200' });
    const rows = JSON.stringify(await pool.stored('select encode(key, $1) as key, failures, call from identity_throttle', ['escape']));
    expect(rows).not.toContain(email);
    expect(rows).not.toContain('203.0.113');
    const [table] = await pool.stored<{ kind: string }>("select relpersistence as kind from pg_class where relname = 'identity_throttle'");
    expect(table?.kind).toBe('u');
  });
});

describe('a known device', () => {
  async function device(): Promise<string> {
    const { AccessToken, NewDeviceMetadata } = (await pool.signIn(email)).body.AuthenticationResult;
    const { DeviceKey } = NewDeviceMetadata;
    expect((await pool.call('ConfirmDevice', { AccessToken, DeviceKey, DeviceName: 'A browser' })).status).toBe(200);
    expect((await pool.call('UpdateDeviceStatus', { AccessToken, DeviceKey, DeviceRememberedStatus: 'remembered' })).status).toBe(200);
    return DeviceKey;
  }

  it('is not locked out by strangers, even behind the same address', async () => {
    const deviceKey = await device();
    await times(40, (index) => guessWrong({}, `stranger${index}@pool.test`));
    await times(6, () => guessWrong());
    expect(await guessRight()).toBe('limited');
    expect(await guessRight({ deviceKey })).toBe('in');
  });

  it('can still sign in while the account is locked; all others need a reset', async () => {
    const deviceKey = await device();
    // The last of ninety-nine earlier failures was weeks ago.
    await concurrently(99, (index) => guessWrong({ from: `10.${index}.0.1` }));
    pool.advance(20 * 86_400_000);
    expect(await guessWrong({ from: '10.200.0.1' })).toBe('wrong');
    pool.advance(100 * 86_400_000);
    expect(await guessRight({ from: '10.201.0.1' })).toBe('Password reset required for the user');
    expect(await guessRight({ deviceKey })).toBe('in');
    expect(await guessRight({ from: '10.201.0.1' })).toBe('Password reset required for the user');

    const ClientId = pool.identity.config.userPoolClientId;
    await pool.call('ForgotPassword', { ClientId, Username: email });
    const ConfirmationCode = await pool.codeFor(email);
    const Password = 'a battery of correct horses';
    expect((await pool.call('ConfirmForgotPassword', { ClientId, Username: email, ConfirmationCode, Password })).status).toBe(200);
    expect(outcome(await pool.signIn(email, { password: Password, from: '10.202.0.1' }))).toBe('in');
  });

  it('is limited by its own failures', async () => {
    const deviceKey = await device();
    expect(await times(6, () => guessWrong({ deviceKey }))).toEqual([...Array(5).fill('wrong'), 'locked']);
    expect(await guessRight({ deviceKey })).toBe('locked');
    expect(await guessRight()).toBe('in');
  });

  it('of another person, or an invented one, gives no further tries', async () => {
    const deviceKey = await device();
    const { email: victim } = await pool.add();
    const unknownDevice = () => `us-west-2_${randomUUID()}`;
    const outcomes = await times(6, (index) => guessWrong({ deviceKey: index % 2 ? deviceKey : unknownDevice() }, victim));
    expect(outcomes).toEqual([...Array(5).fill('wrong'), 'locked']);
  });

  it('is reported as unknown only after the right password', async () => {
    const deviceKey = `us-west-2_${randomUUID()}`;
    for (const key of [deviceKey, 'nonsense', 'a_\0']) {
      expect(await guessWrong({ deviceKey: key })).toBe('wrong');
      const { body } = await pool.signIn(email, { deviceKey: key });
      expect(body).toEqual({ __type: 'ResourceNotFoundException', message: 'Device does not exist.' });
    }
    expect(await pool.stored('select 1 from identity_session where sub = $1', [sub])).toEqual([]);
  });
});

describe('too many concurrent sign-ins', () => {
  it('are asked to retry without counting a failure', async () => {
    // Opens connections first, because opening one takes a thread, too.
    await Promise.all(Array.from({ length: 30 }, () => countRows()));
    const before = await countRows();
    const release = await holdThreads();
    const slowGuesses = Promise.all(Array.from({ length: HASHES_AT_ONCE }, (_, index) => guessWrong({ from: `10.201.${index}.1` })));
    await vi.waitFor(async () => expect(await countRows()).toBe(before + 1 + HASHES_AT_ONCE * 2), PATIENT);
    let answered = 0;
    const arrivals = Array.from({ length: 115 }, async (_, index) => {
      const [email, from] = [`stranger${index}@crowd.test`, `10.202.${index}.1`];
      const answer = await unlessBusy(() => pool.signIn(email, { from }));
      answered += 1;
      return { email, from, ...answer };
    });
    // No password is checked before everyone has arrived, so every answer so far is a refusal.
    await vi.waitFor(() => expect(answered).toBe(15), PATIENT);
    await release();
    const crowd = await Promise.all(arrivals);
    expect(await slowGuesses).toEqual(Array(HASHES_AT_ONCE).fill('wrong'));
    const refusals = crowd.filter(({ status }) => status === 429);
    expect(refusals).toHaveLength(15);
    expect(crowd.filter((each) => outcome(each) === 'wrong')).toHaveLength(100);
    expect(refusals[0]?.body).toEqual({ __type: 'TooManyRequestsException', message: 'Too many requests' });
    expect(refusals[0]?.headers).toMatchObject({ 'retry-after': '1' });
    const { email, from } = refusals[0] ?? { email: '', from: '' };
    expect(await times(6, () => guessWrong({ from }, email))).toEqual([...Array(5).fill('wrong'), 'locked']);
  });

  /** Retries while the database is busy, which a slow machine's is. */
  async function unlessBusy<T extends { readonly status: number }>(attempt: () => Promise<T>): Promise<T> {
    const answer = await attempt();
    return answer.status === 503 ? unlessBusy(attempt) : answer;
  }

  /** Keeps the hashing threads busy; returns a function that frees them. */
  async function holdThreads(): Promise<() => Promise<void>> {
    const folder = await mkdtemp(path.join(tmpdir(), 'afterword-threads-'));
    const pipes = Array.from({ length: THREADS }, (_, index) => path.join(folder, String(index)));
    execFileSync('mkfifo', pipes);
    // Each waits for a writer.
    const readers = pipes.map((pipe) => open(pipe));
    return async () => {
      for (const pipe of pipes) closeSync(openSync(pipe, 'w'));
      for (const reader of readers) await (await reader).close();
      await rm(folder, { recursive: true });
    };
  }

  /** Counts the rows: one per account, network and address. */
  const countRows = async (): Promise<number> =>
    (await pool.database.transaction({}, (db) => db.$client.query('select 1 from identity_throttle'))).rows.length;
});
