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
import { run } from './admin/run.ts';

/* The product as a process: its end, and its output broken in the ways that a terminal, a disk and a reader break it. */

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

it('takes its PostgreSQL along where it is told to end while it starts', async () => {
  const { child, ended, postmaster } = await spawnProduct('ignore');
  await expect.poll(() => existsSync(postmaster), { timeout: 100_000, interval: 5 }).toBe(true);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(existsSync(postmaster)).toBe(false);
});

it('says at the start where mails can be read', async () => {
  const { child, ended, port } = await spawnProduct('pipe');
  let said = '';
  child.stdout?.on('data', (text: Buffer) => (said += text.toString()));
  await expect.poll(() => said, { timeout: 100_000, interval: 50 }).toContain('Afterword is ready.');
  expect(said).toContain(`Mails        http://localhost:${port}/outbox (SMTP_URL is not set, so none is sent)`);
  expect(said).toContain(`"page":"http://localhost:${port}/outbox"`);
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
    // Both refuse root, too: one says that the new folder is not found, the other that it is not permitted.
    [
      'DATA_DIR where no folder is made',
      { DATA_DIR: '/proc/afterword' },
      /^DATA_DIR is "\/proc\/afterword", which this user cannot write to \(\w+\);/,
    ],
    [
      'DATA_DIR where no file is made',
      { DATA_DIR: '/sys/platform' },
      /^DATA_DIR is "\/sys\/platform", which this user cannot write to \(\w+\);/,
    ],
    [
      'DATABASE_URL without a server',
      { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' },
      /^The database cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1$/,
    ],
  ])('such as a %s ends the start at once, in one sentence', { timeout: 30_000 }, async (_name, settings, sentence) => {
    const [before, ...messages] = (await outputWith(settings)).split('Afterword cannot start. ');
    expect([before, messages.length, messages[0]?.trimEnd()]).toEqual(['', 1, expect.stringMatching(sentence)]);
  });
});

interface Outputs {
  readonly stdout: number | 'pipe';
  /** What happens to it once the product runs. */
  readonly change?: (child: ChildProcess) => void;
}

const full = openSync('/dev/full', 'w');
afterAll(() => closeSync(full));

it.concurrent.each<[string, Outputs]>([
  ['is a full disk', { stdout: full }],
  ['was closed by its reader', { stdout: 'pipe', change: (child) => void child.stdout?.destroy() }],
  ['is read by nobody', { stdout: 'pipe', change: (child) => void child.stdout?.pause() }],
])(
  'goes on working, and ends when it is told to, where its output %s',
  async (_what, { stdout, change }) => {
    const { child, ended, port } = await spawnProduct(stdout);
    const ask = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status;
    await expect.poll(() => ask().catch(() => 0), { timeout: 100_000, interval: 250 }).toBe(200);
    change?.(child);
    for (let asked = 0; asked < 300; asked += 1) expect(await ask()).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  },
  120_000,
);

it('has left an installation that the command line works on by itself', async () => {
  const dataDir = folders.at(-1) ?? '';
  let [out, err] = ['', ''];
  const surroundings = { stdout: (text: string) => (out += text), stderr: (text: string) => (err += text), folder: dataDir };
  const status = await run(['accounts', 'list'], { ...surroundings, env: { DATA_DIR: dataDir } });
  expect({ out, err, status }).toEqual({ out: 'No account was found.\n', err: '', status: 0 });
});
