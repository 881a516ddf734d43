import { access, chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { trialEnd } from '#contract/billing/billing.ts';
import { SYSTEM } from '#contract/event/event.ts';
import { makePassword, SAMPLE_ACCOUNT, SAMPLE_EMAIL, SAMPLE_FORM, seed } from '#database/seed.ts';
import * as accounts from './account/store.ts';
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
 * Records in a file, before the database is made, that the sample business shall be loaded: a start that is cut short anywhere
 * after this is made up for by the next one. The password is this folder's own, so that no installation has a known one.
 */
export async function planSample(config: Config): Promise<void> {
  const isNew = !config.database && !(await exists(path.join(config.dataDir, DATABASE_FOLDER)));
  // The people of the sample sign in to the product's own pool, and are made in nobody else's.
  const wanted = config.seed ?? (isNew && !config.production && !config.cognito ? 'demo' : 'none');
  const { kept, planned } = filesOf(config);
  if (wanted === 'none' || (await exists(kept)) || (await exists(planned))) return;
  await writeFile(planned, makePassword(), { mode: 0o600 });
  await chmod(planned, 0o600);
}

/**
 * Returns the settings with what an unset `BILLING` stands for: `sandbox` where the sample business is in the database or about to
 * be loaded into it, so that every start decides the same; otherwise `none`. The sandbox needs one process with both roles.
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
  /** Makes a person who can sign in at once. */
  readonly signUp: Parameters<typeof seed>[0]['signUp'];
  /** Returns whether someone signs in with this address and password. */
  readonly isPassword: (email: string, password: string) => Promise<boolean>;
}

/**
 * Loads the sample business where it was planned. Returns how to sign in to it; undefined where the file's password isn't the one in
 * this database, such as after a restore.
 */
export async function loadSample({ platform, signUp, isPassword }: LoadOptions): Promise<Sample | undefined> {
  const { config } = platform;
  // One that was loaded before is signed in to by nobody while another pool is asked.
  if (config.cognito) return undefined;
  const { kept, planned } = filesOf(config);
  const password = await readFile(planned, 'utf8').catch(() => undefined);
  if (password !== undefined && config.seed !== 'none') {
    const trial = config.billing?.kind !== 'none' && { trialEndsAt: trialEnd(platform.now()) };
    await seed({ platform, signUp, password, hasViews: true, ...trial });
    // What was there already was loaded by a start that was killed here, or with another password.
    if (await isPassword(SAMPLE_EMAIL, password)) await rename(planned, kept);
    else await rm(planned);
  }
  const known = await readFile(kept, 'utf8').catch(() => undefined);
  return known === undefined || !(await isPassword(SAMPLE_EMAIL, known))
    ? undefined
    : { email: SAMPLE_EMAIL, password: known, formId: SAMPLE_FORM };
}

function filesOf({ dataDir }: Config) {
  const kept = path.join(dataDir, PASSWORD_FILE);
  return { kept, planned: `${kept}.new` };
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
