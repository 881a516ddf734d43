// `npm run dev`: the product, restarted when its code changes; the pages are built again when theirs does.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { node, prepare, root } from './prepare.mjs';

const PAGES = ['contract', 'dashboard', 'fixtures', 'form', 'mail', 'docs/guides'];
const QUIET = 200;

prepare({ forTests: true });
const product = spawn(node, ['--watch', '--watch-preserve-output', 'server/main.ts'], { cwd: root, stdio: 'inherit' });
product.on('exit', (status) => process.exit(status ?? 1));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => product.kill(signal));

let timer;
for (const folder of PAGES) {
  watch(path.join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => prepare({ forTests: true }), QUIET);
  });
}
