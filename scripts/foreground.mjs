// Runs a program in place of this process: under npm, in a terminal or under a supervisor.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import process from 'node:process';
import { node, root, say } from './prepare.mjs';

/** Runs a program, forwards signals to it and exits with its status. */
export function runInForeground(args, env = process.env) {
  const program = spawn(node, args, { cwd: root, stdio: 'inherit', env });
  program.on('error', (error) => {
    say(`Afterword could not be started: ${error.message}`);
    process.exit(127);
  });
  // A terminal signals this process and the program; another process signals only this one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => program.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal));
  // npm and its shell don't forward SIGTERM, so the program is stopped once the parent process has ended.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && program.kill('SIGTERM'), 250).unref();
  program.on('exit', (status, signal) => process.exit(status ?? (signal === 'SIGINT' ? 130 : 1)));
}

/** Exits if the port is in use, before anything is installed or built. */
export async function refuseInUse() {
  const { HOST: host = '127.0.0.1', PORT = '8080' } = process.env;
  const probe = createServer();
  const error = await new Promise((resolve) => {
    probe.once('error', resolve).listen({ host, port: Number(PORT) || 0 }, () => probe.close(() => resolve(undefined)));
  }).catch(() => undefined);
  if (error?.code !== 'EADDRINUSE') return;
  say(`Port ${PORT} is in use, perhaps by Afterword. Stop it first, or set PORT to another. Nothing was changed.`);
  process.exit(1);
}
