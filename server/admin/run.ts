import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { Refusal } from '#contract/core/errors.ts';
import { FileExists } from '../disk/durable-file.ts';
import { ConfigError, readConfig } from '../platform/config/config.ts';
import { asRefusal } from '../platform/database/database.ts';
import { DatabaseError } from '../platform/database/migrations.ts';
import { createLog } from '../platform/log/log.ts';
import { EmbeddedPostgresError } from '../postgres/postgres.ts';
import { exportAccount, findPeople, listAccounts, restoreAccount } from './accounts.ts';
import { examine } from './doctor.ts';
import { type Installation, withInstallation } from './installation.ts';
import { showQueue, testMail } from './mail-and-queue.ts';
import { type CommandOutcome, CommandRefused, printable } from './output.ts';
import { addOperator, listOperators, resetPassword, resetSecondFactor } from './sign-in.ts';

/** The terminal and environment of a command. */
export interface CommandEnvironment {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Asks the person at the terminal to type yes; undefined if no one is there. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
  /** The folder that relative file names start from. */
  readonly folder: string;
  /** The settings; this process's by default. */
  readonly env?: NodeJS.ProcessEnv;
  /** UTC ms. */
  readonly now?: () => number;
}

/** Runs a command and returns its exit status: 0 for success, 1 for a refusal or failure, 2 for an unknown command. */
export async function run(argv: readonly string[], environment: CommandEnvironment): Promise<number> {
  let status = 0;
  try {
    await program(environment, (bad) => (status = bad ? 1 : 0)).parseAsync([...argv], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    environment.stderr(`${printable(reasonOf(error))}\n`);
    return 1;
  }
}

function program(environment: CommandEnvironment, done: (isBad: boolean) => void): Command {
  const { stdout, stderr, env, now = Date.now } = environment;
  const log = createLog({ logLevel: 'warn' }, { write: stderr });
  const root = new Command('npm run admin --')
    .description('Manages an installation of Afterword, whether or not it is running. Uses the same settings as Afterword.')
    .option('--json', 'print one JSON document instead of text')
    .option('-y, --yes', 'skip the confirmation')
    .exitOverride()
    .configureOutput({ writeOut: stdout, writeErr: stderr })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(use --help for a list of commands)');
  const actions: CommandActions = {
    folder: environment.folder,
    inInstallation:
      (work) =>
      async (...args) => {
        const typedArgs = args.filter((arg) => typeof arg === 'string');
        const config = readConfig(env);
        print(await withInstallation({ config, log, now }, (installation) => work(installation, ...typedArgs)));
      },
    async requireConfirmation(question) {
      if (root.opts()['yes']) return;
      if (!(await environment.confirm?.(question))) throw new CommandRefused('Nothing was changed. To continue, type yes or add --yes.');
    },
  };
  addAccountCommands(root, actions);
  addPeopleCommands(root, actions);
  addSystemCommands(root, actions);
  root
    .command('doctor')
    .description('check the installation; exits with 1 if something is wrong')
    .action(async () => print(await examine({ env, log, now })));
  return root;

  function print({ data, text, isBad = false }: CommandOutcome): void {
    stdout(root.opts()['json'] ? `${JSON.stringify(data, null, 2)}\n` : `${printable(text)}\n`);
    done(isBad);
  }
}

/** What the commands do with an installation. */
interface CommandActions {
  readonly folder: string;
  /** Returns an action that opens the installation and passes it the command's arguments. */
  inInstallation(work: (installation: Installation, ...args: string[]) => Promise<CommandOutcome>): (...args: unknown[]) => Promise<void>;
  requireConfirmation(question: string): Promise<void>;
}

const group = (root: Command, name: string, description: string): Command => root.command(name).description(description);

function addAccountCommands(root: Command, { folder, inInstallation }: CommandActions): void {
  const accounts = group(root, 'accounts', 'businesses that have signed up');
  accounts.command('list').description('list all accounts, newest first').action(inInstallation(listAccounts));
  accounts.command('find').argument('<text>', 'part of the name or id').description('find accounts').action(inInstallation(listAccounts));
  accounts
    .command('restore')
    .argument('<id>')
    .description('restore an account deleted in the last seven days')
    .action(inInstallation(restoreAccount));
  accounts
    .command('export')
    .argument('<id>')
    .argument('<file>', 'a new .zip file')
    .description('export all data of an account')
    .action((id: string, file: string) => inInstallation(exportAccount)(id, path.resolve(folder, file)));
}

function addPeopleCommands(root: Command, { inInstallation, requireConfirmation }: CommandActions): void {
  group(root, 'people', 'people of every account')
    .command('find')
    .argument('<text>', 'part of a name, address or id')
    .description('find people')
    .action(inInstallation(findPeople));
  const operators = group(root, 'operators', 'people who manage the installation in the browser');
  operators.command('list').description('list operators and whether they can sign in').action(inInstallation(listOperators));
  operators
    .command('add')
    .argument('<email>')
    .description('email a sign-in link to an operator named in OPERATOR_EMAILS')
    .action(inInstallation(addOperator));
  group(root, 'password', 'help people who forgot their password')
    .command('reset')
    .argument('<email>')
    .description('email a code and a link for a new password')
    .action(inInstallation(resetPassword));
  group(root, 'second-factor', 'help people who lost their phone')
    .command('reset')
    .argument('<email>')
    .option('--reason <text>', 'for the audit log', 'Requested at the command line')
    .description('turn off two-step sign-in: immediately for an operator, after a day for an account’s only admin, unless they refuse')
    .action(async (email: string, { reason }: { reason: string }) => {
      await requireConfirmation(`This turns off two-step sign-in of ${email}. They will be able to sign in with just their password.`);
      await inInstallation(resetSecondFactor)(email, reason);
    });
}

function addSystemCommands(root: Command, { inInstallation }: CommandActions): void {
  group(root, 'mail', 'outgoing email')
    .command('test')
    .argument('<address>')
    .description('send a test email now')
    .action(inInstallation(testMail));
  root.command('queue').description('show waiting jobs and unsent mails').action(inInstallation(showQueue));
}

const EXPECTED = [CommandRefused, ConfigError, DatabaseError, EmbeddedPostgresError, FileExists];

/** Returns the message for an error that stopped a command; for a bug, its stack. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const refusal = error instanceof Refusal ? error : asRefusal(error);
  if (refusal) return refusal.errors.map(({ message }) => message).join(' ') || (refusal.detail ?? refusal.message);
  // System errors have a code and name the file.
  return EXPECTED.some((kind) => error instanceof kind) || 'code' in error ? error.message : (error.stack ?? error.message);
}
