import { formPath } from '#contract/form-page.ts';
import { type Config, ConfigError, isLoopback, readConfig } from './kernel/config.ts';
import { createLog } from './kernel/log.ts';
import { DatabaseError } from './kernel/migrate.ts';
import { EmbeddedPostgresError } from './postgres/postgres.ts';
import { type Running, start } from './start.ts';

const LONGEST_STOP = 10_000;

try {
  const config = readConfig();
  const log = createLog(config);
  const running = await start(config, log);
  process.stdout.write(welcome(config, running));
  stopOnSignal(running);
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'a bug ends the process; its supervisor starts it again');
    process.exit(1);
  });
} catch (error) {
  process.stderr.write(`${failure(error)}\n`);
  process.exit(1);
}

function stopOnSignal(running: Running): void {
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      setTimeout(() => process.exit(1), LONGEST_STOP).unref();
      running.stop().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}

/** What keeps the product from starting, in words for whoever runs it; a bug with its stack. */
function failure(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DatabaseError || error instanceof EmbeddedPostgresError)
    return `Afterword cannot start. ${error.message}`;
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') return `Afterword cannot start. Port ${port} is in use; set PORT to another.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function welcome({ publicUrl, host }: Config, { sample }: Running): string {
  const lines = [
    '',
    '  Afterword is ready.',
    '',
    `  Dashboard    ${publicUrl}/`,
    `  Demo         ${publicUrl}/demo`,
    ...(sample ? [`  Sample form  ${publicUrl}${formPath(sample.formId)}`, `  Sign in      ${sample.email} / ${sample.password}`] : []),
    ...(isLoopback(host) ? [] : ['', '  Reachable from other machines.']),
    '',
    '',
  ];
  return lines.join('\n');
}
