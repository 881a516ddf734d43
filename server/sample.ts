import { access, chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { trialEnd } from '#contract/billing/billing.ts';
import { SYSTEM } from '#contract/event/event.ts';
import { makePassword, SAMPLE_ACCOUNT, SAMPLE_EMAIL, SAMPLE_FORM, seed } from '#database/seed.ts';
import * as accounts from './account/store.ts';
import type { FormReader } from './form/store.ts';
import type { Config } from './platform/config/config.ts';
import type { Platform } from './platform/context.ts';
import { inAccount } from './platform/tenancy/access.ts';

/** How to sign in to the sample business. */
export interface Sample {
  readonly email: string;
  readonly password: string;
  readonly formId: string;
}

const PASSWORD_FILE = 'sample-password.txt';
const DATABASE_FOLDER = 'postgres';

/**
 * Records in a file, before the database is created, that the sample business is to be loaded, so that the next start continues after
 * a crash. Each folder has its own password, so that none is publicly known.
 */
export async function planSample(config: Config): Promise<void> {
  const isNew = !config.database && !(await exists(path.join(config.dataDir, DATABASE_FOLDER)));
  // Sample people are only created in the product's own user pool.
  const sample = config.seed ?? (isNew && !config.production && !config.cognito ? 'demo' : 'none');
  const { loaded, planned } = filesOf(config);
  if (sample === 'none' || (await exists(loaded)) || (await exists(planned))) return;
  await writeFile(planned, makePassword(), { mode: 0o600 });
  await chmod(planned, 0o600);
}

/**
 * Returns the settings with the default of `BILLING`: `sandbox` if the sample business is in the database or about to be loaded, so
 * that every start decides the same; otherwise `none`. The sandbox needs one process with both roles.
 */
export async function withBilling(config: Config, { database, now }: Pick<Platform, 'database' | 'now'>): Promise<Config> {
  if (config.billing) return config;
  const mayTry = !config.production && !config.cognito && config.roles.length === 2;
  const isLoaded = () => inAccount({ database, now }, { accountId: SAMPLE_ACCOUNT, actor: SYSTEM }, accounts.byScope);
  const isSandbox = mayTry && ((await exists(filesOf(config).planned)) || (await isLoaded()) !== undefined);
  return { ...config, billing: { kind: isSandbox ? 'sandbox' : 'none' } };
}

interface LoadOptions {
  readonly platform: Pick<Platform, 'config' | 'database' | 'now'>;
  /** Creates a person who can sign in at once. */
  readonly signUp: Parameters<typeof seed>[0]['signUp'];
  /** Returns whether someone signs in with this address and password. */
  readonly isPassword: (email: string, password: string) => Promise<boolean>;
}

/**
 * Loads the sample business if it's planned. Returns how to sign in to it, or undefined if this database has another password than the
 * file, such as after a restore.
 */
export async function loadSample({ platform, signUp, isPassword }: LoadOptions): Promise<Sample | undefined> {
  const { config } = platform;
  // With another user pool, no one can sign in to a sample loaded earlier.
  if (config.cognito) return undefined;
  const { loaded, planned } = filesOf(config);
  const password = await readFile(planned, 'utf8').catch(() => undefined);
  if (password !== undefined && config.seed !== 'none') {
    const trial = config.billing?.kind !== 'none' && { trialEndsAt: trialEnd(platform.now()) };
    await seed({ platform, signUp, password, hasViews: true, ...trial });
    // An existing sample was loaded by a start that was killed here, or with another password.
    if (await isPassword(SAMPLE_EMAIL, password)) await rename(planned, loaded);
    else await rm(planned);
  }
  const stored = await readFile(loaded, 'utf8').catch(() => undefined);
  return stored === undefined || !(await isPassword(SAMPLE_EMAIL, stored))
    ? undefined
    : { email: SAMPLE_EMAIL, password: stored, formId: SAMPLE_FORM };
}

/** Returns the id of the sample business's form; undefined if it isn't loaded, is closed, or can't be read now. */
export async function openSampleForm(forms: FormReader): Promise<string | undefined> {
  const sample = await forms.byId(SAMPLE_FORM).catch(() => undefined);
  return sample?.closed === false ? SAMPLE_FORM : undefined;
}

function filesOf({ dataDir }: Config) {
  const loaded = path.join(dataDir, PASSWORD_FILE);
  return { loaded, planned: `${loaded}.new` };
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
