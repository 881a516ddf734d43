import { statfs } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type Config, ConfigError, readConfig } from '../platform/config/config.ts';
import { settingWarnings } from '../platform/config/setting-warnings.ts';
import { stateOfDatabase } from '../platform/database/state.ts';
import { openMailer } from '../platform/mailer/mailer.ts';
import { outboxFolder } from '../platform/mailer/outbox.ts';
import { storedSecret } from '../platform/secret.ts';
import { asOwner, refuseMissing } from '../start.ts';
import { type Finding, type Found, looked, well } from './finding.ts';
import { openInstallation } from './installation.ts';
import { productFindings } from './product-checks.ts';
import { counted, duration } from './wording.ts';

export interface CheckOptions {
  /** The settings; undefined: this process's. */
  readonly env: NodeJS.ProcessEnv | undefined;
  readonly log: Logger;
  /** UTC ms. */
  readonly now: () => number;
}

/** Looks at everything that an installation needs: first what can be seen without its database. */
export async function findingsOf(options: CheckOptions): Promise<Finding[]> {
  const { env } = options;
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [{ check: 'settings', state: 'wrong', said: error.message, advice: 'Afterword can’t start with these settings.' }];
  }
  return [
    ...settingFindings(config, env),
    await looked('secret', () => secret(config)),
    await looked('disk', () => disk(config)),
    await looked('mail server', () => mailServer(config, options)),
    ...(await databaseFindings(config, options)),
  ];
}

function settingFindings(config: Config, env: NodeJS.ProcessEnv | undefined): Finding[] {
  const warnings = settingWarnings(config, env);
  if (warnings.length > 0) return warnings.map((said) => ({ check: 'settings', state: 'warning', said }));
  return [{ check: 'settings', ...well(`All settings are valid. The site’s address is ${config.publicUrl}.`) }];
}

async function secret(config: Config): Promise<Found> {
  if (config.identitySecret !== undefined) return well('IDENTITY_SECRET is set. Backups don’t contain it, so keep a copy elsewhere.');
  if (await storedSecret(config)) return well(`It is in ${config.dataDir} and in backups.`);
  return {
    state: 'wrong',
    said: `There is none in ${config.dataDir}.`,
    advice: 'Set DATA_DIR or IDENTITY_SECRET to the values Afterword runs with. If it has never run, its first start creates one.',
  };
}

const GIBIBYTE = 1024 ** 3;
/** Free bytes below which the disk is all but full, and will soon be. */
const NO_ROOM = GIBIBYTE / 4;
const LITTLE_ROOM = 2 * GIBIBYTE;

async function disk({ dataDir, database }: Config): Promise<Found> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const said = `${(free / GIBIBYTE).toFixed(1)} GiB are free where ${dataDir} is.`;
  if (free >= LITTLE_ROOM) return well(said);
  const advice = `${database ? 'Keys and mails that are not sent are' : 'The database is'} kept there. Make room.`;
  return { state: free < NO_ROOM ? 'wrong' : 'warning', said, advice };
}

async function mailServer(config: Config, { log, now }: CheckOptions): Promise<Found> {
  const { server, from } = config.mail;
  if (!server) {
    const said = `No SMTP_URL is set: emails are written to ${outboxFolder(config.dataDir)}, and aren’t delivered.`;
    return { state: 'warning', said, advice: 'Set SMTP_URL, then: npm run admin -- mail test ADDRESS' };
  }
  const mailer = openMailer({ config, log, now });
  try {
    await mailer.reach();
    return well(`${server.host} answers${server.auth ? ' and takes the password' : ''}. Mails are from ${from.address}.`);
  } catch (error) {
    const advice = 'Check SMTP_URL, and whether this machine can connect to it.';
    return { state: 'wrong', said: `${server.host}: ${(error as Error).message}.`, advice };
  } finally {
    mailer.stop();
  }
}

async function databaseFindings(config: Config, { log, now }: CheckOptions): Promise<Finding[]> {
  try {
    await refuseMissing(config);
    return await asOwner(config, log, async (owner) => {
      const { version, bytes, ahead, waiting } = await stateOfDatabase(owner, { ...config, now });
      const seen: Finding[] = [
        { check: 'database', ...well(`PostgreSQL ${version} is running. It holds ${(bytes / 1024 ** 2).toFixed(0)} MiB.`) },
        { check: 'clock', ...clock(ahead) },
        { check: 'schema', ...schema(waiting) },
      ];
      if (waiting > 0) return seen;
      const installation = await openInstallation({ config, log, now }, owner);
      try {
        return [...seen, ...(await productFindings(installation))];
      } finally {
        await installation.stop();
      }
    });
  } catch (error) {
    const advice = config.database ? 'Check DATABASE_URL and that server.' : 'Check DATA_DIR and the end of Afterword’s log.';
    return [{ check: 'database', state: 'wrong', said: (error as Error).message, advice }];
  }
}

/** Codes of authenticator apps are good for half a minute around theirs. */
const FAR_OFF = 20_000;
const OFF = 2_000;

function clock(ahead: number): Found {
  const off = Math.abs(ahead);
  if (off < OFF) return well('The database’s clock matches this machine’s.');
  const said = `The database’s clock is ${duration(off)} ${ahead > 0 ? 'ahead of' : 'behind'} this machine’s.`;
  return { state: off < FAR_OFF ? 'warning' : 'wrong', said, advice: 'Synchronize both with NTP.' };
}

function schema(waiting: number): Found {
  if (waiting === 0) return well('It is this version’s.');
  return {
    state: 'wrong',
    said: `${counted(waiting, 'migration waits', 'migrations wait')}.`,
    advice: 'Start this version of Afterword once to migrate it.',
  };
}
