import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AFTERWORD } from '../../server/afterword.ts';
import { type Config, readConfig } from '../../server/kernel/config.ts';
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../../server/postgres/postgres.ts';
import { buildForm, buildMail, buildPushWorker } from '../bundles.ts';
import { freePort } from '../free-port.ts';
import { type Need, needOf, WATCHED } from './changes.ts';
import { createPages, documentOf } from './pages.ts';
import { createProduct } from './product.ts';
import { takeTurns } from './turns.ts';

/* `npm run dev` (docs/decisions/0036-the-development-server.md): Vite's server, and the product behind it. */

const root = path.resolve(import.meta.dirname, '../..');
const built = path.join(root, 'dist.dev');

// The terminal may have gone.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

const config = settings();
const behind = await freePort();
const product = createProduct({
  port: behind,
  env: { ...process.env, PUBLIC_URL: config.publicUrl, BUILT_DIR: built },
  onEnd: (how) => fail(`The server has ended (${how}). The next save starts it again.`),
});
const pages = await createPages({ ...config, behind, product });
const turns = takeTurns<Need>(renew);
endWithTheTerminal();

await pages.listen().catch((error: Error) => {
  say(`Afterword cannot listen where HOST and PORT say: ${error.message}`);
  process.exit(1);
});
// Of earlier builds.
await rm(path.join(built, 'public'), { recursive: true, force: true });
turns.add({ build: true, reload: false });
watch();

/** The settings, as the product reads them. */
function settings(): Config {
  try {
    return readConfig();
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}

function watch(): void {
  const { watcher } = pages.vite;
  watcher.add(WATCHED.map((folder) => path.join(root, folder)));
  watcher.on('all', (_event, file) => {
    const name = path.relative(root, file);
    const need = needOf(name);
    if (!need) return;
    say(`${name} was saved`);
    turns.add(need);
  });
}

/** Whether pages show what failed. */
let isFailing = false;

async function renew(needs: readonly Need[]): Promise<void> {
  if (needs.some(({ build }) => build) && !(await isBuilt())) return;
  await product.restart();
  if (needs.some(({ reload }) => reload) || isFailing) void loadAgain();
}

async function loadAgain(): Promise<void> {
  if (!(await product.isThere())) return;
  isFailing = false;
  pages.vite.ws.send({ type: 'full-reload' });
}

/** Builds what the server gives out or renders with; what is wrong is said, and the last build stays. */
async function isBuilt(): Promise<boolean> {
  try {
    await mkdir(built, { recursive: true });
    await Promise.all([buildForm(built), buildMail(built), buildPushWorker(built), writeDocument()]);
    return true;
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
    return false;
  }
}

async function writeDocument(): Promise<void> {
  const source = await readFile(path.join(root, 'dashboard/index.html'), 'utf8');
  const document = await documentOf(pages.vite, source);
  await Promise.all(['dashboard.html', 'demo.html'].map((name) => writeFile(path.join(built, name), document)));
}

/** In the terminal, and over the team's pages that are open. */
function fail(message: string): void {
  isFailing = true;
  say(message);
  pages.vite.ws.send({ type: 'error', err: { message, stack: '' } });
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function endWithTheTerminal(): void {
  let isEnding = false;
  const end = (): void => {
    if (isEnding) return;
    isEnding = true;
    void endAll().finally(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && end(), 250).unref();
}

async function endAll(): Promise<void> {
  await Promise.all([product.stop(), pages.close()]);
  await turns.stop();
  await stopLeftPostgres();
}

/** A server that ended by a mistake has left its PostgreSQL to the next one. Somebody else's is left alone. */
async function stopLeftPostgres(): Promise<void> {
  const { dataDir, database } = config;
  if (database || !(await findEmbeddedPostgres({ application: AFTERWORD, dataDir }))) return;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const left = await startEmbeddedPostgres({ application: AFTERWORD, dataDir, log, restart: false }).catch(() => undefined);
  await left?.stop();
}
