import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../scripts/free-port.ts';
import { addressOf, cloneDatabase } from '../test/support/postgres/database.ts';
import { run } from './admin/run.ts';

/* The product as a process: how it stops, and how it handles an output that fails. */

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function spawnProduct(stdout: number | 'pipe' | 'ignore', settings: NodeJS.ProcessEnv = {}, stderr: 'pipe' | 'ignore' = 'ignore') {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'afterword-main-'));
  folders.push(dataDir);
  const port = await freePort();
  const { DATABASE_URL: _tests, ...env } = process.env;
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: { ...env, DATA_DIR: dataDir, PORT: String(port), SEED: 'none', LOG_LEVEL: 'trace', ...settings },
    stdio: ['ignore', stdout, stderr],
  });
  return { child, ended: once(child, 'exit'), port, postmaster: path.join(dataDir, 'postgres/postmaster.pid') };
}

it('stops its PostgreSQL when it is terminated during the start', async () => {
  const { child, ended, postmaster } = await spawnProduct('ignore');
  await expect.poll(() => existsSync(postmaster), { interval: 5 }).toBe(true);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(existsSync(postmaster)).toBe(false);
});

it('finishes loading the sample business when it is terminated', async () => {
  const database = await cloneDatabase();
  try {
    const { child, ended } = await spawnProduct('ignore', { DATABASE_URL: addressOf(database.owner), SEED: 'demo', ALLOW_VOLATILE: '1' });
    await expect.poll(() => database.stored('select from account'), { interval: 5 }).toHaveLength(1);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    // Openings are loaded last.
    expect(await database.stored('select from view limit 1')).toHaveLength(1);
  } finally {
    await database.drop();
  }
});

it('shows at the start where to read mails', async () => {
  const { child, ended, port } = await spawnProduct('pipe');
  let output = '';
  child.stdout?.on('data', (text: Buffer) => (output += text.toString()));
  await expect.poll(() => output, { interval: 50 }).toContain('Afterword is ready.');
  expect(output).toContain(`Mails        http://localhost:${port}/outbox (not sent, because SMTP_URL is not set)`);
  expect(output).toContain(`"page":"http://localhost:${port}/outbox"`);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

it('stops at once while its database does not answer', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const connected = once(silent, 'connection');
  const { port } = silent.address() as AddressInfo;
  const { child, ended } = await spawnProduct('ignore', { DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/c` });
  await connected;
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  silent.close();
});

describe('a wrong setting', () => {
  async function outputWith(settings: NodeJS.ProcessEnv): Promise<string> {
    const { child, ended } = await spawnProduct('pipe', settings, 'pipe');
    const [out, err] = [child.stdout, child.stderr].map((stream) => stream && text(stream));
    expect(await ended).toEqual([1, null]);
    return `${await out}${await err}`;
  }

  it.each<[string, NodeJS.ProcessEnv, RegExp]>([
    [
      'BUILT_DIR that is missing',
      { BUILT_DIR: '/nowhere' },
      /^BUILT_DIR is "\/nowhere", which has no [\w./-]+; it should be the folder of a build\.$/,
    ],
    // Both fail for root too: one with "not found", the other with "not permitted".
    [
      'DATA_DIR where no folder can be created',
      { DATA_DIR: '/proc/afterword' },
      /^DATA_DIR is "\/proc\/afterword", which this user can't write to \(\w+\);/,
    ],
    [
      'DATA_DIR where no file can be created',
      { DATA_DIR: '/sys/platform' },
      /^DATA_DIR is "\/sys\/platform", which this user can't write to \(\w+\);/,
    ],
    [
      'DATABASE_URL without a server',
      { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' },
      /^The database cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1$/,
    ],
    // A start that goes on hangs for longer than a minute.
  ])('such as a %s ends the start at once with one sentence', { timeout: 60_000 }, async (_name, settings, sentence) => {
    const [before, ...messages] = (await outputWith(settings)).split('Afterword cannot start. ');
    expect([before, messages.length, messages[0]?.trimEnd()]).toEqual(['', 1, expect.stringMatching(sentence)]);
  });
});

interface Outputs {
  readonly stdout: number | 'pipe';
  /** Breaks it once the product runs. */
  readonly change?: (child: ChildProcess) => void;
}

const full = openSync('/dev/full', 'w');
afterAll(() => closeSync(full));

it.concurrent.each<[string, Outputs]>([
  ['is a full disk', { stdout: full }],
  ['was closed by its reader', { stdout: 'pipe', change: (child) => void child.stdout?.destroy() }],
  ['is never read', { stdout: 'pipe', change: (child) => void child.stdout?.pause() }],
])('keeps working, and stops when terminated, while its output %s', async (_name, { stdout, change }) => {
  const { child, ended, port } = await spawnProduct(stdout);
  const ask = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status;
  await expect.poll(() => ask().catch(() => 0), { interval: 250 }).toBe(200);
  change?.(child);
  for (let count = 0; count < 300; count += 1) expect(await ask()).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

it('leaves an installation that the command line can use while the product is stopped', async () => {
  const dataDir = folders.at(-1) ?? '';
  let [out, err] = ['', ''];
  const surroundings = { stdout: (text: string) => (out += text), stderr: (text: string) => (err += text), folder: dataDir };
  const status = await run(['accounts', 'list'], { ...surroundings, env: { DATA_DIR: dataDir } });
  expect({ out, err, status }).toEqual({ out: 'No account was found.\n', err: '', status: 0 });
});
