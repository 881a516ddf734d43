import type { EventName } from '#contract/events.ts';
import product from '../../package.json' with { type: 'json' };
import { recordForInstallation } from '../event/store.ts';
import { atCommandLine } from '../kernel/access.ts';
import { checkPacked, packAccount, unpackAccount } from '../kernel/backup/moving.ts';
import { connectAs } from '../kernel/migrations.ts';
import { nameOfStanding } from './accounts.ts';
import type { Installation } from './installation.ts';
import type { CommandOutcome } from './wording.ts';

/** Writes an account with its people to a file that `importAccount` takes elsewhere. It stays here as it is. */
export async function packForMove(installation: Installation, accountId: string, file: string): Promise<CommandOutcome> {
  const name = await nameOfStanding(installation, accountId);
  await noted(installation, 'account.packed', accountId);
  const { tables } = await asOwnerOf(installation, (owner) =>
    packAccount(owner, { file, accountId, product: product.version, now: installation.kernel.now }),
  );
  const text = [
    `${file} holds ${name} for another installation.`,
    'Passwords are in it, hashed: keep it where nobody else reads it, and delete it when the account has moved.',
    'The account stays here, and goes on taking feedback, until you delete it.',
  ];
  return { data: { id: accountId, file, rows: rowsOf(tables) }, text: text.join('\n') };
}

/** Adds an account that was packed elsewhere, under its ids. All of it comes, or nothing. */
export async function importAccount(installation: Installation, file: string): Promise<CommandOutcome> {
  const packed = await checkPacked(file);
  const { accountId } = packed.header;
  // Whoever packed it may have written any address into it: a password of theirs runs nothing here.
  const proving = installation.kernel.config.operatorEmails;
  await asOwnerOf(installation, (owner) => unpackAccount(owner, { packed, proving }));
  await noted(installation, 'account.imported', accountId);
  const name = await nameOfStanding(installation, accountId);
  const text = [
    `${name} is here, as of ${packed.header.made}. Its people sign in with the passwords that they have.`,
    'Two-step sign-in is off until they set it up again. Invitations are to be mailed again, webhooks and devices added again.',
    `Its forms open at ${installation.kernel.config.publicUrl}: printed codes lead to the old address.`,
  ];
  return { data: { id: accountId, name, rows: rowsOf(packed.contents.tables) }, text: text.join('\n') };
}

const rowsOf = (tables: Readonly<Record<string, { readonly rows: number }>>): number =>
  Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);

const noted = ({ kernel }: Installation, name: EventName & ('account.packed' | 'account.imported'), subject: string): Promise<void> =>
  atCommandLine(kernel, (scope) => recordForInstallation(scope, name, { subject, data: {} }));

async function asOwnerOf<T>({ owner }: Installation, work: (client: Awaited<ReturnType<typeof connectAs>>) => Promise<T>): Promise<T> {
  const client = await connectAs({ ...owner, application_name: 'afterword admin' });
  return work(client).finally(() => client.end());
}
