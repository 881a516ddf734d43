import { statfs } from 'node:fs/promises';
import type { Logger } from 'pino';
import { pluralize } from '#contract/core/sentences.ts';
import { type Config, ConfigError, readConfig } from '../platform/config/config.ts';
import { settingWarnings } from '../platform/config/setting-warnings.ts';
import { stateOfDatabase } from '../platform/database/state.ts';
import { openMailer } from '../platform/mailer/mailer.ts';
import { outboxFolder } from '../platform/mailer/outbox.ts';
import { storedSecret } from '../platform/secret.ts';
import { asOwner, refuseMissing } from '../start.ts';
import { type CheckResult, type Finding, ok, runCheck } from './finding.ts';
import { openInstallation } from './installation.ts';
import { duration } from './output.ts';
import { productFindings } from './product-checks.ts';

export interface CheckOptions {
  /** The settings; undefined for this process's. */
  readonly env: NodeJS.ProcessEnv | undefined;
  readonly log: Logger;
  /** UTC ms. */
  readonly now: () => number;
}

/** Checks everything an installation needs, beginning with what needs no database. */
export async function findingsOf(options: CheckOptions): Promise<Finding[]> {
  const { env } = options;
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [{ check: 'settings', state: 'wrong', message: error.message, advice: 'Afterword can’t start with these settings.' }];
  }
  return [
    ...settingFindings(config, env),
    await runCheck('secret', () => secret(config)),
    await runCheck('disk', () => disk(config)),
    await runCheck('mail server', () => mailServer(config, options)),
    ...(await databaseFindings(config, options)),
  ];
}

function settingFindings(config: Config, env: NodeJS.ProcessEnv | undefined): Finding[] {
  const warnings = settingWarnings(config, env);
  if (warnings.length > 0) return warnings.map((message) => ({ check: 'settings', state: 'warning', message }));
  return [{ check: 'settings', ...ok(`All settings are valid. The site’s address is ${config.publicUrl}.`) }];
}

async function secret(config: Config): Promise<CheckResult> {
  if (config.identitySecret !== undefined) return ok('IDENTITY_SECRET is set. Backups don’t contain it, so keep a copy elsewhere.');
  if (await storedSecret(config)) return ok(`It is in ${config.dataDir} and in backups.`);
  return {
    state: 'wrong',
    message: `There is none in ${config.dataDir}.`,
    advice: 'Set DATA_DIR or IDENTITY_SECRET to the values Afterword runs with. If it has never run, its first start creates one.',
  };
}

const GIBIBYTE = 1024 ** 3;
/** Free bytes below which the disk is nearly full, or will be soon. */
const CRITICAL_SPACE = GIBIBYTE / 4;
const LOW_SPACE = 2 * GIBIBYTE;

async function disk({ dataDir, database }: Config): Promise<CheckResult> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const message = `${(free / GIBIBYTE).toFixed(1)} GiB are free on the disk with ${dataDir}.`;
  if (free >= LOW_SPACE) return ok(message);
  const advice = `${database ? 'Keys and unsent mails are' : 'The database is'} stored there. Free some space.`;
  return { state: free < CRITICAL_SPACE ? 'wrong' : 'warning', message, advice };
}

async function mailServer(config: Config, { log, now }: CheckOptions): Promise<CheckResult> {
  const { server, from } = config.mail;
  if (!server) {
    const message = `SMTP_URL isn’t set, so emails are written to ${outboxFolder(config.dataDir)} and not delivered.`;
    return { state: 'warning', message, advice: 'Set SMTP_URL, then: npm run admin -- mail test ADDRESS' };
  }
  const mailer = openMailer({ config, log, now });
  try {
    await mailer.reach();
    return ok(`${server.host} responds${server.auth ? ' and accepts the password' : ''}. Mails are from ${from.address}.`);
  } catch (error) {
    const advice = 'Check SMTP_URL and this machine’s connection to that server.';
    return { state: 'wrong', message: `${server.host}: ${(error as Error).message}.`, advice };
  } finally {
    mailer.stop();
  }
}

async function databaseFindings(config: Config, { log, now }: CheckOptions): Promise<Finding[]> {
  try {
    await refuseMissing(config);
    return await asOwner(config, log, async (owner) => {
      const { version, bytes, ahead, waiting } = await stateOfDatabase(owner, { ...config, now });
      const findings: Finding[] = [
        { check: 'database', ...ok(`PostgreSQL ${version} is running. The database has ${(bytes / 1024 ** 2).toFixed(0)} MiB.`) },
        { check: 'clock', ...clock(ahead) },
        { check: 'schema', ...schema(waiting) },
      ];
      if (waiting > 0) return findings;
      const installation = await openInstallation({ config, log, now }, owner);
      try {
        return [...findings, ...(await productFindings(installation))];
      } finally {
        await installation.stop();
      }
    });
  } catch (error) {
    const advice = config.database ? 'Check the DATABASE settings and the server.' : 'Check DATA_DIR and the end of Afterword’s log.';
    return [{ check: 'database', state: 'wrong', message: (error as Error).message, advice }];
  }
}

/** Differences in ms. Codes of authenticator apps are accepted for 30 seconds around their time. */
const CRITICAL_OFFSET = 20_000;
const SMALL_OFFSET = 2_000;

function clock(ahead: number): CheckResult {
  const offset = Math.abs(ahead);
  if (offset < SMALL_OFFSET) return ok('The database’s clock matches this machine’s.');
  const message = `The database’s clock is ${duration(offset)} ${ahead > 0 ? 'ahead of' : 'behind'} this machine’s.`;
  return { state: offset < CRITICAL_OFFSET ? 'warning' : 'wrong', message, advice: 'Synchronize both with NTP.' };
}

function schema(waiting: number): CheckResult {
  if (waiting === 0) return ok('The schema is up to date.');
  return {
    state: 'wrong',
    message: `${pluralize(waiting, 'migration is', 'migrations are')} pending.`,
    advice: 'Start this version of Afterword once to migrate it.',
  };
}
