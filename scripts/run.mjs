// `node scripts/run.mjs file.ts …`: runs one of our programs after installing and building what it needs.
import { spawn } from 'node:child_process';
import process from 'node:process';
import { node, prepare, root } from './prepare.mjs';

prepare({ forTests: true });
const program = spawn(node, process.argv.slice(2), { cwd: root, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => program.kill(signal));
program.on('exit', (status) => process.exit(status ?? 1));
