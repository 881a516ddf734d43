import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { Refusal } from '#contract/core/errors.ts';
import { ConfigError, readConfig } from '../platform/config/config.ts';
import { asRefusal } from '../platform/database/database.ts';
import { DatabaseError } from '../platform/database/migrations.ts';
import { createLog } from '../platform/log/log.ts';
import { EmbeddedPostgresError } from '../postgres/postgres.ts';
import { exportAccount, findPeople, listAccounts, restoreAccount } from './accounts.ts';
import { examine } from './doctor.ts';
import { type Installation, withInstallation } from './installation.ts';
import { showQueue, testMail } from './sending.ts';
import { addOperator, listOperators, resetPassword, resetSecondFactor } from './sign-in.ts';
import { type CommandOutcome, CommandRefused, printable } from './wording.ts';

/** Where a command runs. */
export interface Surroundings {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Asks whoever sits there to type yes; undefined where nobody does. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
  /** What files are named from. */
  readonly folder: string;
  /** The settings; those of this process unless they are given. */
  readonly env?: NodeJS.ProcessEnv;
  /** UTC ms. */
  readonly now?: () => number;
}

/** Runs one command. Gives its status: 0 where it is done, 1 where it is refused or failed, 2 where it is none. */
export async function run(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  let status = 0;
  try {
    await program(surroundings, (bad) => (status = bad ? 1 : 0)).parseAsync([...argv], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    surroundings.stderr(`${printable(reasonOf(error))}\n`);
    return 1;
  }
}

function program(surroundings: Surroundings, done: (isBad: boolean) => void): Command {
  const { stdout, stderr, env, folder, now = Date.now } = surroundings;
  const log = createLog({ logLevel: 'warn' }, { write: stderr });
  const all = new Command('npm run admin --')
    .description('Manages an installation of Afterword, whether or not it is running. Uses the same settings as Afterword.')
    .option('--json', 'print one JSON document instead of text')
    .option('-y, --yes', 'do not ask')
    .exitOverride()
    .configureOutput({ writeOut: stdout, writeErr: stderr })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(--help says what there is)');
  const group = (name: string, description: string): Command => all.command(name).description(description);

  const accounts = group('accounts', 'businesses that are signed up');
  accounts.command('list').description('list all of them, newest first').action(opened(listAccounts));
  accounts.command('find').argument('<text>', 'of its name or id').description('list some of them').action(opened(listAccounts));
  accounts.command('restore').argument('<id>').description('bring a deleted one back, within seven days').action(opened(restoreAccount));
  accounts
    .command('export')
    .argument('<id>')
    .argument('<file>', 'a .zip that is not there yet')
    .description('write everything of it to a file')
    .action((id: string, file: string) => opened(exportAccount)(id, path.resolve(folder, file)));
  group('people', 'people of every account')
    .command('find')
    .argument('<text>', 'of a name, an address or an id')
    .description('list some of them')
    .action(opened(findPeople));
  const operators = group('operators', 'those who run the installation in the browser');
  operators.command('list').description('say who is set, and can sign in').action(opened(listOperators));
  operators
    .command('add')
    .argument('<email>')
    .description('email the link to an operator named in OPERATOR_EMAILS')
    .action(opened(addOperator));
  group('password', 'of somebody who forgot it')
    .command('reset')
    .argument('<email>')
    .description('mail a code and a link for a new one')
    .action(opened(resetPassword));
  group('second-factor', 'of somebody who lost their phone')
    .command('reset')
    .argument('<email>')
    .option('--reason <text>', 'for the audit log', 'Asked for at the command line')
    .description('turn off two-step sign-in: immediately for an operator, after a day for an account’s only admin, unless they refuse')
    .action(async (email: string, { reason }: { reason: string }) => {
      await confirmed(`Two-step sign-in of ${email} is turned off. They will be able to sign in with just their password.`);
      await opened(resetSecondFactor)(email, reason);
    });
  group('mail', 'what is sent').command('test').argument('<address>').description('send a test now').action(opened(testMail));
  all.command('queue').description('show what waits to be done, and which mails are not sent').action(opened(showQueue));
  all
    .command('doctor')
    .description('check the installation; exits with 1 if something is wrong')
    .action(async () => tell(await examine({ env, log, now })));
  return all;

  /** An action that takes the command's arguments. */
  function opened(work: (installation: Installation, ...args: string[]) => Promise<CommandOutcome>) {
    return async (...args: unknown[]): Promise<void> => {
      const typed = args.filter((arg) => typeof arg === 'string');
      const config = readConfig(env);
      tell(await withInstallation({ config, log, now }, (installation) => work(installation, ...typed)));
    };
  }

  function tell({ data, text, isBad = false }: CommandOutcome): void {
    stdout(all.opts()['json'] ? `${JSON.stringify(data, null, 2)}\n` : `${printable(text)}\n`);
    done(isBad);
  }

  async function confirmed(question: string): Promise<void> {
    if (all.opts()['yes']) return;
    if (!(await surroundings.confirm?.(question))) throw new CommandRefused('Nothing was changed. To continue, type yes or add --yes.');
  }
}

const EXPECTED = [CommandRefused, ConfigError, DatabaseError, EmbeddedPostgresError];

/** What keeps a command from being carried out, in words; a bug with its stack. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const refused = error instanceof Refusal ? error : asRefusal(error);
  if (refused) return refused.errors.map(({ message }) => message).join(' ') || (refused.detail ?? refused.message);
  // What the system refuses has a code and says which file.
  return EXPECTED.some((kind) => error instanceof kind) || 'code' in error ? error.message : (error.stack ?? error.message);
}
