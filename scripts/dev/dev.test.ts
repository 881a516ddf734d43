import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { childrenOf, isRunning } from '../../test/support/processes.ts';
import { freePort } from '../free-port.ts';

/* `npm run dev` in a copy of this repository whose files are edited. */

const root = path.resolve(import.meta.dirname, '../..');
const NOT_COPIED = ['node_modules', 'dist', 'dist.dev', 'dist.next', 'dist.previous', 'data', 'pictures', '.git'];

let folder: string;
let dataDir: string;
let site: string;
let dev: ChildProcess;
let exited: Promise<unknown[]>;
let output = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'afterword-dev-'));
  dataDir = path.join(folder, 'data');
  for (const name of await readdir(root))
    if (!NOT_COPIED.includes(name)) await cp(path.join(root, name), path.join(folder, name), { recursive: true });
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  // Only the edited part of the team's pages, because Vite would prepare the packages of all others first.
  await writeFile(path.join(folder, 'dashboard/main.tsx'), "import '../ui/Wordmark.tsx';");
  const port = await freePort();
  site = `http://localhost:${port}`;
  const { DATABASE_URL: _tests, NODE_ENV: _vitest, ...env } = process.env;
  dev = spawn(process.execPath, ['scripts/dev/main.mjs'], {
    cwd: folder,
    env: { ...env, DATA_DIR: dataDir, PORT: String(port), SEED: 'none', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  exited = once(dev, 'exit');
  for (const stream of [dev.stdout, dev.stderr])
    stream?.on('data', (text: Buffer) => {
      output += text;
    });
});

afterAll(async () => {
  dev.kill('SIGTERM');
  await exited;
  await rm(folder, { recursive: true, force: true });
});

/** Returns an address's response, or '' while there is none. */
const read = (address: string): Promise<string> =>
  fetch(`${site}${address}`).then(
    (answer) => answer.text(),
    () => '',
  );

/** Saves a file as some editors do: writes a new one and renames it. */
async function save(file: string, change: (text: string) => string): Promise<void> {
  const place = path.join(folder, file);
  const text = change(await readFile(place, 'utf8'));
  await writeFile(`${place}~`, text);
  await rename(`${place}~`, place);
}

/** Opens a page's connection to Vite, and returns the messages it receives. */
async function openPage(): Promise<{ type: string; updates?: { path: string }[] }[]> {
  const [, token] = /wsToken = "([^"]+)"/.exec(await read('/@dashboard/@vite/client')) ?? [];
  const socket = new WebSocket(`${site.replace('http', 'ws')}/@dashboard/?token=${token}`, 'vite-hmr');
  const messages: { type: string }[] = [];
  socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(String(data))));
  await once(socket, 'open');
  return messages;
}

const MODULE = '/@dashboard/ui/page/Wordmark.tsx';

it('shows saved changes, survives a syntax error, and stops everything it started', async () => {
  await expect.poll(() => read('/')).toContain('src="/@dashboard/main.tsx"');
  const secret = path.join(dataDir, 'identity.secret');
  expect(existsSync(secret)).toBe(true);
  expect((await fetch(`${site}/@dashboard/@fs${secret}`)).status).toBe(403);

  expect(await read(MODULE)).toContain('Afterword');
  const messages = await openPage();
  await save('dashboard/ui/page/Wordmark.tsx', (text) => text.replaceAll('Afterword', 'Foreword'));
  await expect.poll(() => messages.find(({ type }) => type === 'update')?.updates?.[0]?.path).toContain('/ui/page/Wordmark.tsx');
  expect(await read(MODULE)).toContain('Foreword');

  await save('form/head.ts', (text) => `${text}}`);
  await expect.poll(() => output).toContain('form/head.ts:');
  await expect.poll(() => read('/about')).toContain('What Afterword is');
  await save('server/site.ts', (text) => `${text}}`);
  await expect.poll(() => fetch(`${site}/about`).then(({ status }) => status)).toBe(503);
  expect(await read(MODULE)).toContain('Foreword');

  await save('form/head.ts', (text) => text.slice(0, -1));
  await save('form/form.css', (text) => `${text}\n.of-this-test { color: red; }`);
  await save('server/site.ts', (text) => text.slice(0, -1).replace('What Afterword is', 'What Foreword is'));
  await expect.poll(() => read('/about')).toContain('What Foreword is');
  await expect.poll(() => read('/feedback/none')).toContain('.of-this-test');

  const pids = await processTree(dev.pid ?? 0);
  // The command, Vite's server, the product's watcher, the product, and PostgreSQL's processes.
  expect(pids.length).toBeGreaterThan(5);
  dev.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  for (const pid of pids) expect(await isRunning(pid)).toBe(false);
  expect(await workingIn(folder)).toEqual([]);
  expect(existsSync(path.join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
});

/** Returns the ids of a process and all its descendants. */
async function processTree(root: number): Promise<number[]> {
  const pids = [root];
  // The array grows during the loop.
  for (const pid of pids) pids.push(...(await childrenOf(pid)));
  return pids;
}

/** Returns the processes whose working directory is the folder. */
async function workingIn(place: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const places = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => undefined)));
  return pids.filter((_, index) => places[index] === place);
}
