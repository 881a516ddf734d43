import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { freePort } from '../scripts/free-port.ts';
import { run } from './admin/run.ts';

/* The product as a process: its end, and its output broken in the ways that a terminal, a disk and a reader break it. */

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function spawnProduct(stdout: number | 'pipe' | 'ignore') {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'afterword-main-'));
  folders.push(dataDir);
  const port = await freePort();
  const { DATABASE_URL: _tests, ...env } = process.env;
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: { ...env, DATA_DIR: dataDir, PORT: String(port), SEED: 'none', LOG_LEVEL: 'trace' },
    stdio: ['ignore', stdout, 'ignore'],
  });
  return { child, ended: once(child, 'exit'), port, postmaster: path.join(dataDir, 'postgres/postmaster.pid') };
}

it('takes its PostgreSQL along where it is told to end while it starts', async () => {
  const { child, ended, postmaster } = await spawnProduct('ignore');
  await expect.poll(() => existsSync(postmaster), { timeout: 100_000, interval: 5 }).toBe(true);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(existsSync(postmaster)).toBe(false);
}, 120_000);

it('says at the start where mails can be read', async () => {
  const { child, ended, port } = await spawnProduct('pipe');
  let said = '';
  child.stdout?.on('data', (text: Buffer) => (said += text.toString()));
  await expect.poll(() => said, { timeout: 100_000, interval: 50 }).toContain('Afterword is ready.');
  expect(said).toContain(`Mails        http://localhost:${port}/outbox (SMTP_URL is not set, so none is sent)`);
  expect(said).toContain(`"page":"http://localhost:${port}/outbox"`);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
}, 120_000);

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
  const [dataDir = ''] = folders;
  let [out, err] = ['', ''];
  const surroundings = { stdout: (text: string) => (out += text), stderr: (text: string) => (err += text), folder: dataDir };
  const status = await run(['accounts', 'list'], { ...surroundings, env: { DATA_DIR: dataDir } });
  expect({ out, err, status }).toEqual({ out: 'No account was found.\n', err: '', status: 0 });
});
