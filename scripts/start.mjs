// `npm start`: whatever is missing is installed, whatever is stale is built, then the product runs.
import { spawn } from 'node:child_process';
import process from 'node:process';
import { node, prepare, root, say } from './prepare.mjs';
import { ENVIRONMENT, FLAGS } from './process.mjs';

prepare();
const env = { ...ENVIRONMENT, ...process.env };
const product = spawn(node, [...FLAGS, 'server/main.ts'], { cwd: root, stdio: 'inherit', env });
product.on('error', (error) => {
  say(`Afterword could not be started: ${error.message}`);
  process.exit(127);
});
// A terminal signals this process and the product; another process signals only this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => product.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal));
// npm and its shell pass no signal on when they are told to end; then nobody is left above us.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && product.kill('SIGTERM'), 250).unref();
product.on('exit', (status, signal) => process.exit(status ?? (signal === 'SIGINT' ? 130 : 1)));
