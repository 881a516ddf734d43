import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer, type ProxyOptions } from 'vite';
import { documentNames, TEAM_LANGUAGES } from '#contract/language/team.ts';
import { readConfig } from '../../server/platform/config/config.ts';
import { isThisMachine } from '../../server/platform/http/network.ts';
import { buildForm, buildKiosk, buildMail, buildScripts } from '../build/bundles.ts';
import { guides } from '../build/guides.ts';
import { freePort } from '../free-port.ts';
import { ENVIRONMENT, FLAGS } from '../process.mjs';

/* `npm run dev`: Vite serves the dashboard as it is edited and proxies the rest to the product, which `node --watch` restarts. */

const root = path.resolve(import.meta.dirname, '../..');
const built = path.join(root, 'dist.dev');
/** The prefix of Vite's paths. */
const BASE = '/@dashboard/';
/** The only folders Vite may serve. Others contain secrets. */
const SERVED = ['contract', 'dashboard', 'dist.dev/vite', 'docs/guides', 'fixtures', 'node_modules'];
/** Edits in these folders rebuild forms and mails, which restarts the server. */
const BUILT_FROM = ['contract', 'database', 'form', 'kiosk', 'embed', 'mail'];

const { host, port, publicUrl } = readConfig();
const productPort = await freePort();

const server = createHttpServer();
const vite = await createServer({
  configFile: false,
  envDir: false,
  appType: 'custom',
  root: path.join(root, 'dashboard'),
  base: BASE,
  cacheDir: path.join(built, 'vite'),
  plugins: [react(), guides()],
  clearScreen: false,
  // As in the document that the product serves.
  html: { cspNonce: '__NONCE__' },
  server: {
    middlewareMode: { server },
    ws: { server },
    cors: false,
    allowedHosts: [new URL(publicUrl).hostname],
    // npm may link packages in other folders.
    fs: { allow: SERVED.map((folder) => path.join(root, folder)).map((folder) => (existsSync(folder) ? realpathSync(folder) : folder)) },
    proxy: { [`^(?!${BASE})`]: toProduct() },
  },
});
server.on('request', vite.middlewares);
await once(server.listen(port, host), 'listening');

await rm(path.join(built, 'public'), { recursive: true, force: true });
await build();
const product = spawn(process.execPath, [...FLAGS, '--watch', '--watch-preserve-output', 'server/main.ts'], {
  cwd: root,
  env: { ...ENVIRONMENT, ...process.env, HOST: '127.0.0.1', PORT: String(productPort), PUBLIC_URL: publicUrl, BUILT_DIR: built },
  stdio: 'inherit',
});
watch();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);

/** Builds the server's renderers. A failed build leaves the previous one. */
async function build(): Promise<void> {
  try {
    await mkdir(built, { recursive: true });
    await Promise.all([buildForm(built), buildKiosk(built), buildMail(built), buildScripts(built), writeDocument()]);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  }
}

/** Writes the dashboard's document with Vite's client in it. */
async function writeDocument(): Promise<void> {
  const source = await readFile(path.join(root, 'dashboard/index.html'), 'utf8');
  const html = await vite.transformIndexHtml('/index.html', source, `${BASE}index.html`);
  await Promise.all(TEAM_LANGUAGES.flatMap(documentNames).map((name) => writeFile(path.join(built, name), html)));
}

function watch(): void {
  let timer: NodeJS.Timeout | undefined;
  vite.watcher.add(BUILT_FROM.map((folder) => path.join(root, folder)));
  vite.watcher.on('all', (_event, file) => {
    const [folder = ''] = path.relative(root, file).split(path.sep);
    if (!BUILT_FROM.includes(folder) || /\.test\.tsx?$|~$/.test(file)) return;
    // Editors and checkouts save many files at once.
    clearTimeout(timer);
    timer = setTimeout(() => void build(), 100);
  });
}

/** Keeps the requested host, and passes on the address of callers on other machines. */
function toProduct(): ProxyOptions {
  return {
    target: `http://127.0.0.1:${productPort}`,
    configure(proxy) {
      proxy.on('proxyReq', (out, { socket: { remoteAddress = '' } }) => {
        if (!isThisMachine(remoteAddress)) out.setHeader('x-forwarded-for', remoteAddress);
      });
      proxy.on('error', (_error, _request, answer) => {
        if ('writeHead' in answer && !answer.headersSent) answer.writeHead(503, { 'content-type': 'text/plain', refresh: '1' });
        answer.end('The server is starting. If it isn’t, its terminal says why.\n');
      });
    },
  };
}

/** Stops the product cleanly, and PostgreSQL with it. */
async function stop(): Promise<void> {
  product.kill('SIGTERM');
  if (product.exitCode === null) await once(product, 'exit');
  await vite.close();
  process.exit(0);
}
