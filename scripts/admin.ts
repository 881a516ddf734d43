import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { run } from '../server/admin/run.ts';

// A reader such as `head` may close the pipe early.
process.stdout.on('error', () => undefined);

/** `npm run admin -- COMMAND`: the operator's command line. */
process.exitCode = await run(process.argv.slice(2), {
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  confirm: process.stdin.isTTY ? confirm : undefined,
  // npm runs scripts in the product's folder, and puts the caller's folder in INIT_CWD.
  folder: process.env['INIT_CWD'] ?? '.',
});

async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} Type yes: `);
  terminal.close();
  return answer.trim().toLowerCase() === 'yes';
}
