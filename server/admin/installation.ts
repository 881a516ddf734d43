import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import * as v from 'valibot';
import { badInput } from '#contract/core/errors.ts';
import type { Answer, Input, Operation, SentInput } from '#contract/core/operation.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { COMMAND_LINE, INSTALLATION } from '#contract/event/event.ts';
import { type Billing, openBilling } from '../billing/billing.ts';
import { openPaymentProvider } from '../billing/payments.ts';
import { isOfAnotherSecret, openIdentity } from '../identity/identity.ts';
import type { UserPool } from '../identity/port.ts';
import { JOBS } from '../jobs.ts';
import { openMails } from '../notification/mail/mails.ts';
import { openDelivery } from '../notification/operations.ts';
import { type Config, ConfigError } from '../platform/config/config.ts';
import type { Platform } from '../platform/context.ts';
import { type ConnectionSettings, openDatabase } from '../platform/database/database.ts';
import { connectToMigrated } from '../platform/database/migrate.ts';
import { connectThroughPooler } from '../platform/database/pooler.ts';
import { connectTo } from '../platform/database/primary.ts';
import { openJobs } from '../platform/jobs/jobs.ts';
import { openMailer } from '../platform/mailer/mailer.ts';
import type { SendMail } from '../platform/mailer/send-mail.ts';
import { openSecret, storedSecret } from '../platform/secret.ts';
import { atCommandLine, type Person } from '../platform/tenancy/access.ts';
import type { Operator } from '../platform/tenancy/dispatch.ts';
import { withBilling } from '../sample.ts';
import { asOwner, refuseMissing, refuseUnbuilt } from '../start.ts';
import { openAccountDeletion } from '../workflows/account-deletion.ts';
import { openDirectory } from '../workflows/directory.ts';
import { audit, openOperator } from '../workflows/operator.ts';
import { openSecondFactorResets } from '../workflows/second-factor-resets.ts';
import { openSignInRecovery } from '../workflows/sign-in-recovery.ts';

type AdminPlatform = Omit<Platform, 'pubsub'>;

/** The installation as used by the command line: the operators' operations, and those that only its host can do. */
export interface Installation {
  readonly platform: AdminPlatform;
  readonly billing: Billing;
  readonly pool: UserPool;
  /** The connection settings of the role that owns the tables. */
  readonly owner: ConnectionSettings;
  /** The handlers of operators' operations. */
  readonly handlers: ReturnType<typeof openHandlers>;
  readonly recovery: ReturnType<typeof openSignInRecovery>;
  /** The requester named in mails. */
  readonly askedBy: string;
  /** Runs an operator's operation: checks the input, runs the handler and records it in the audit log. */
  operate<Op extends Operation>(
    operation: Op,
    handle: (operator: Operator, input: Input<Op>) => Promise<Answer<Op>>,
    sent: SentInput<Op>,
  ): Promise<Answer<Op>>;
  stop(): Promise<void>;
}

interface OpenOptions {
  readonly config: Config;
  readonly log: Logger;
  /** UTC ms. */
  readonly now: () => number;
}

/** Runs work on an installation, whether or not the product is running. Throws a `ConfigError` or a `DatabaseError` if it can't. */
export async function withInstallation<T>(options: OpenOptions, work: (installation: Installation) => Promise<T>): Promise<T> {
  const { config, log } = options;
  await refuseUnbuilt(config);
  await refuseMissing(config);
  return asOwner(config, log, async (owner) => {
    const installation = await openInstallation(options, owner);
    try {
      return await work(installation);
    } finally {
      await installation.stop();
    }
  });
}

/** Opens the installation on an existing database. `owner` connects as the role that owns the tables. */
export async function openInstallation({ config, log, now }: OpenOptions, owner: ConnectionSettings): Promise<Installation> {
  if (!(await storedSecret(config))) throw new ConfigError(`${config.dataDir} has no secret. ${SAME_SECRET}`);
  const { appUrl, pooler } = config.database ?? {};
  const connection = await connectThroughPooler(
    await connectToMigrated({ owner, app: appUrl === undefined ? undefined : connectTo(appUrl, log) }),
    pooler,
  );
  const [secret, database] = [await openSecret(config), openDatabase({ connection, onError: (err) => log.warn({ err }) })];
  const stops: (() => unknown)[] = [() => database.stop()];
  const stop = async (): Promise<void> => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    // With another secret, the pool would create its own keys and delete those it can't read.
    if (await isOfAnotherSecret({ config, database, secret })) throw new ConfigError(`The secret differs from Afterword’s. ${SAME_SECRET}`);
    const jobs = await openJobs({ connection, policies: JOBS, log, works: false });
    stops.push(() => jobs.stop());
    const mailer = openMailer({ config, log, now });
    stops.push(() => mailer.stop());
    const platform: AdminPlatform = {
      config: await withBilling(config, { database, now }),
      secret,
      log,
      database,
      jobs,
      mailer,
      now,
      random: (size) => randomBytes(size),
    };
    const { send: sendMail } = openMails(platform);
    const pool = await openIdentity(platform, { directory: openDirectory(platform), sendMail });
    stops.push(() => pool.stop());
    return { ...openServices(platform, { pool, sendMail }), owner, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Advice for a missing secret: one created here would differ from the product's. */
const SAME_SECRET = 'Set DATA_DIR or IDENTITY_SECRET to the values Afterword runs with.';

interface PoolAndMail {
  readonly pool: UserPool;
  readonly sendMail: SendMail;
}

function openServices(platform: AdminPlatform, { pool, sendMail }: PoolAndMail): Omit<Installation, 'owner' | 'stop'> {
  const billing = openBilling({ platform, provider: openPaymentProvider(platform) });
  const askedBy = `the command line of ${new URL(platform.config.publicUrl).host}`;
  return {
    platform,
    billing,
    pool,
    handlers: openHandlers({ platform, pool, sendMail, billing }),
    recovery: openSignInRecovery({ platform, pool, sendMail }),
    askedBy,
    operate: ({ input, records }, handle, sent) =>
      atCommandLine(platform, async (scope) => {
        const parsed = v.safeParse(input, sent);
        if (!parsed.success) throw badInput(parsed.issues);
        // The compiler can't infer that this is the output of the operation's own schema.
        const answer = await handle({ person: commandLinePerson(askedBy), scope }, parsed.output as never);
        if (records !== undefined && answer !== NOT_FOUND) await audit(scope, records, parsed.output);
        return answer;
      }),
  };
}

interface HandlersOptions extends PoolAndMail {
  readonly platform: AdminPlatform;
  readonly billing: Billing;
}

function openHandlers({ platform, pool, sendMail, billing }: HandlersOptions) {
  const { account, user } = openOperator({ billing });
  return {
    account: { ...account, ...openAccountDeletion({ billing }) },
    user: { ...user, ...openSecondFactorResets({ platform, pool, sendMail }) },
    delivery: openDelivery({ platform, sendMail }),
  };
}

/** Returns the caller that replaces a signed-in operator. */
const commandLinePerson = (emailAddress: string): Person => ({
  userId: COMMAND_LINE,
  accountId: INSTALLATION,
  level: 'user',
  emailAddress,
  session: '',
  signedIn: undefined,
});
