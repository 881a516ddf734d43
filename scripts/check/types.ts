import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import path from 'node:path';

/** Type-checks each root with its own settings: for example, no DOM types on the server or in the contract. */
const root = path.resolve(import.meta.dirname, '../..');
const roots = globSync('*/tsconfig.json', { cwd: root }).map((file) => path.dirname(file));

const failed: string[] = [];
for (const name of roots.sort()) if (!(await compiles(name))) failed.push(name);
process.stdout.write(failed.length === 0 ? `No type errors in ${roots.length} folders\n` : `Type errors in ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function compiles(name: string): Promise<boolean> {
  const compiler = spawn(process.execPath, ['node_modules/typescript/bin/tsc', '-p', name], { cwd: root, stdio: 'inherit' });
  const [status] = (await once(compiler, 'exit')) as [number | null];
  return status === 0;
}
