import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { freePort } from './free-port.ts';

/* Commands that refuse or ask before they change anything. */

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** Runs a program. Returns its standard error and status. */
async function run(args: string[], env: NodeJS.ProcessEnv): Promise<{ stderr: string; status: number }> {
  const { DATABASE_URL: _tests, NODE_ENV: _vitest, ...rest } = process.env;
  const result = promisify(execFile)(process.execPath, args, { env: { ...rest, ...env } });
  return result.then(
    ({ stderr }) => ({ stderr, status: 0 }),
    ({ stderr, code }: { stderr: string; code: number }) => ({ stderr, status: code }),
  );
}

async function dataDirWith(names: readonly string[]): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'afterword-commands-'));
  folders.push(folder);
  for (const name of names) await writeFile(path.join(folder, name), 'x');
  return folder;
}

it('start refuses a port in use before it installs or builds anything', async () => {
  const port = await freePort();
  const occupant = createServer().listen(port, '127.0.0.1');
  const { stderr, status } = await run(['scripts/start.mjs'], { PORT: String(port) });
  occupant.close();
  expect([stderr, status]).toEqual([expect.stringMatching(`^Port ${port} is in use.*Nothing was changed.\n$`), 1]);
});

it('start shows its steps, and what to run if npm skipped the Node package’s install script', async () => {
  const folder = await dataDirWith([]);
  const [scripts, npm] = [path.join(folder, 'scripts'), path.join(folder, 'npm.mjs')];
  await mkdir(scripts);
  for (const name of ['start', 'foreground', 'prepare', 'process', 'progress'])
    await copyFile(path.resolve(`scripts/${name}.mjs`), path.join(scripts, `${name}.mjs`));
  await writeFile(path.join(folder, 'package-lock.json'), '{"packages":{"node_modules/node":{"version":"1.0.0"}}}');
  await writeFile(npm, 'console.log("added 1 package")');
  const { stderr, status } = await run([path.join(scripts, 'start.mjs')], { PORT: String(await freePort()), npm_execpath: npm });
  expect(stderr).toMatch(
    /^Installing packages…\nadded 1 package\nInstalling packages: done after \d+ s\nThe package "node".* Run: npm rebuild node .*\n$/,
  );
  expect(status).toBe(1);
});

it('db:reset asks first, and deletes only Afterword’s data', async () => {
  const DATA_DIR = await dataDirWith(['postgres.password', 'identity.secret', 'holiday.jpg']);
  await mkdir(path.join(DATA_DIR, 'outbox'));
  const before = await readdir(DATA_DIR);
  expect(await run(['scripts/db-reset.ts'], { DATA_DIR })).toEqual({ stderr: expect.stringContaining('Nothing was changed.'), status: 1 });
  expect(await readdir(DATA_DIR)).toEqual(before);
  expect((await run(['scripts/db-reset.ts', '--yes'], { DATA_DIR })).status).toBe(0);
  expect(await readdir(DATA_DIR)).toEqual(['holiday.jpg']);
  expect((await run(['scripts/db-reset.ts', '--yes'], { DATA_DIR })).stderr).toMatch(/has no data in/);
});

it('backup, restore and admin say what is missing, and change nothing', async () => {
  const [DATA_DIR, file] = [await dataDirWith([]), path.join(await dataDirWith([]), 'backup.tar.gz')];
  expect(await run(['scripts/backup.ts'], { DATA_DIR })).toEqual({ stderr: expect.stringContaining('Name one file'), status: 1 });
  expect((await run(['scripts/backup.ts', file], { DATA_DIR })).stderr).toMatch(/^There is no database in /);
  expect((await run(['scripts/restore.ts', file], { DATA_DIR })).stderr).toMatch(/^There is no file /);
  const result = await run(['scripts/admin.ts', 'accounts', 'list'], { DATA_DIR });
  expect(result).toEqual({ stderr: expect.stringMatching(/^There is no database in /), status: 1 });
  expect(await readdir(DATA_DIR)).toEqual([]);
});
