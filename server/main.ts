import type { Logger } from 'pino';
import { formPath } from '#contract/form/form-page.ts';
import { SANDBOX_PREFIX } from './billing/payments.ts';
import { type Config, ConfigError, isLoopback, readConfig } from './platform/config/config.ts';
import { settingWarnings } from './platform/config/setting-warnings.ts';
import { DatabaseError } from './platform/database/migrations.ts';
import { onCrash } from './platform/jobs/crashes.ts';
import { createLog } from './platform/log/log.ts';
import { outboxAddress } from './platform/mailer/page.ts';
import { EmbeddedPostgresError } from './postgres/postgres.ts';
import { type RunningProduct, start } from './start.ts';

/** How long stopping takes at most (ms). @limit stop */
const LONGEST_STOP = 20_000;
const LONGEST_FLUSH = 500;

// The terminal may be closed while the product runs; the log counts lines that it can't write.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

try {
  const config = readConfig();
  const log = createLog(config);
  for (const warning of settingWarnings(config)) log.warn(warning);
  const stopping = new AbortController();
  const starting = start(config, log, stopping.signal);
  stopOnSignal(starting, { stopping, log });
  const running = await starting.catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  if (running && !stopping.signal.aborted) process.stdout.write(welcome(config, running));
  onCrash((error) => {
    log.fatal({ err: error }, 'an uncaught error ends the process; its supervisor restarts it');
    exit(1, log);
  });
} catch (error) {
  process.stderr.write(`${failure(error)}\n`);
  process.exit(1);
}

/** Ends the process once its log is written, or after `LONGEST_FLUSH`. */
function exit(status: number, log: Logger): void {
  log.flush(() => process.exit(status));
  setTimeout(() => process.exit(status), LONGEST_FLUSH);
}

interface StopOptions {
  readonly stopping: AbortController;
  readonly log: Logger;
}

/** Stops the product, even while it starts, and its PostgreSQL on a signal. */
function stopOnSignal(starting: Promise<RunningProduct>, { stopping, log }: StopOptions): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) return;
      stopping.abort();
      setTimeout(() => process.exit(1), LONGEST_STOP).unref();
      starting
        .catch(() => undefined)
        .then((running) => running?.stop())
        .then(
          () => exit(0, log),
          () => exit(1, log),
        );
    });
  }
}

/** Returns why the product can't start, as a sentence for the operator; for a bug, its stack. */
function failure(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DatabaseError || error instanceof EmbeddedPostgresError)
    return `Afterword cannot start. ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function welcome(config: Config, { app, sample }: RunningProduct): string {
  const { publicUrl, host, port, roles } = config;
  if (!roles.includes('web')) return `\n  Afterword is working in the background and serves /health and /metrics on port ${port}.\n\n`;
  const outbox = outboxAddress(config);
  const lines = [
    '',
    '  Afterword is ready.',
    '',
    `  Dashboard    ${publicUrl}/`,
    `  Demo         ${publicUrl}/demo`,
    ...(sample ? [`  Sample form  ${publicUrl}${formPath(sample.formId)}`, `  Sign in      ${sample.email} / ${sample.password}`] : []),
    ...(app.sandbox ? [`  Payments     ${publicUrl}${SANDBOX_PREFIX}/ (test mode: no money moves)`] : []),
    ...(outbox ? [`  Mails        ${outbox} (not sent, because SMTP_URL is not set)`] : []),
    ...(isLoopback(host) ? [] : ['', '  Reachable from other machines.']),
    '',
    '',
  ];
  return lines.join('\n');
}
