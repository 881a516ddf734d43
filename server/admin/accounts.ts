import { createWriteStream } from 'node:fs';
import { access, link, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { accountOperations, DELETED_FOR, type ListedAccount } from '#contract/account/account.ts';
import { COMMAND_LINE } from '#contract/event/event.ts';
import { userOperations } from '#contract/user/user.ts';
import * as accounts from '../account/store.ts';
import { syncFolder } from '../disk/durable-file.ts';
import { recordForInstallation } from '../event/store.ts';
import { archivePieces } from '../export/export-jobs.ts';
import { atCommandLine, narrowTo } from '../platform/tenancy/access.ts';
import type { Installation } from './installation.ts';
import { type CommandOutcome, CommandRefused, counted, minute, table } from './wording.ts';

/** Every page of a list, up to so many. */
const PAGE = 100;
const MOST = 1_000;

/** Accounts whose name or id has the words in it, newest first; all of them for no words. */
export async function listAccounts({ operate, handlers }: Installation, search = ''): Promise<CommandOutcome> {
  const { found, hasMore } = await everyPage(async (cursor) => {
    const answer = await operate(accountOperations.list, handlers.account.list, { search, limit: PAGE, ...cursor });
    return answer.status === 'ok' ? { found: answer.accounts, cursor: answer.cursor } : NONE;
  });
  const rows = found.map(({ account: { id, data }, users, properties, deletedAt }) => [
    id,
    data.displayName,
    minute(data.created),
    users,
    properties,
    deletedAt === undefined ? data.subscription.status : `deleted, until ${minute(deletedAt + DELETED_FOR)}`,
  ]);
  const listed = table(['Id', 'Name', 'Signed up', 'People', 'Places', 'Status'], rows);
  return { data: { accounts: found.map(accountData), hasMore }, text: said(listed, found.length, 'account', hasMore) };
}

const accountData = ({ account: { id, data }, users, properties, deletedAt }: ListedAccount) => ({
  id,
  name: data.displayName,
  created: data.created,
  people: users,
  places: properties,
  subscription: data.subscription,
  ...(deletedAt !== undefined && { deleted: deletedAt, restorableUntil: deletedAt + DELETED_FOR }),
});

/** People of every account whose name, address or id has the words in it, by address. */
export async function findPeople({ operate, handlers }: Installation, search: string): Promise<CommandOutcome> {
  const { found, hasMore } = await everyPage(async (cursor) => {
    const answer = await operate(userOperations.masterList, handlers.user.masterList, { search, limit: PAGE, ...cursor });
    return answer.status === 'ok' ? { found: answer.users, cursor: answer.cursor } : NONE;
  });
  const rows = found.map(({ user: { data }, company }) => [
    data.emailAddress,
    data.displayName,
    data.invited ? `${data.level}, invited` : data.level,
    company,
    data.accountId,
  ]);
  const people = found.map(({ user: { id, data }, company }) => ({
    id,
    name: data.displayName,
    email: data.emailAddress,
    level: data.level,
    invited: data.invited ?? false,
    created: data.created,
    account: { id: data.accountId, name: company },
  }));
  const listed = table(['Email', 'Name', 'Level', 'Account', 'Account’s id'], rows);
  return { data: { people, hasMore }, text: said(listed, found.length, 'person', hasMore, 'people') };
}

const NONE = { found: [], cursor: null };

async function everyPage<T>(
  read: (cursor: { readonly cursor?: string }) => Promise<{ readonly found: readonly T[]; readonly cursor: string | null }>,
): Promise<{ found: T[]; hasMore: boolean }> {
  const found: T[] = [];
  let next: string | null | undefined;
  do {
    const page = await read(next ? { cursor: next } : {});
    found.push(...page.found);
    next = page.cursor;
  } while (next && found.length < MOST);
  return { found, hasMore: Boolean(next) };
}

function said(listed: string, count: number, one: string, hasMore: boolean, many?: string): string {
  if (count === 0) return `No ${one} was found.`;
  return `${listed}\n\n${counted(count, one, many)}${hasMore ? ', and more: search for some of them' : ''}.`;
}

/** Brings a deleted account back within its seven days, as an operator does. */
export async function restoreAccount(installation: Installation, accountId: string): Promise<CommandOutcome> {
  const { operate, handlers } = installation;
  const answer = await operate(accountOperations.masterRestore, handlers.account.masterRestore, { accountId });
  if (answer.status !== 'ok') throw new CommandRefused(await whyNotRestored(installation, accountId));
  return { data: { id: accountId, restored: true }, text: `${accountId} is restored. Its people can sign in, and its forms are open.` };
}

async function whyNotRestored(installation: Installation, accountId: string): Promise<string> {
  const found = await deletionOf(installation, accountId);
  if (!found) return `There is no account ${accountId}.`;
  return found.deleted ? `The seven days to restore ${accountId} have passed.` : `${accountId} is not deleted.`;
}

const deletionOf = ({ platform }: Installation, accountId: string) =>
  atCommandLine(platform, (scope) => narrowTo(scope, accountId, accounts.deletionOf));

/** Writes everything of an account to a file, as its admins can. The file is whole, or not there. */
export async function exportAccount(installation: Installation, accountId: string, file: string): Promise<CommandOutcome> {
  const displayName = await nameOfStanding(installation, accountId);
  await refuseTaken(file);
  const { platform, billing } = installation;
  await atCommandLine(platform, (scope) => recordForInstallation(scope, 'account.exported', { subject: accountId, data: {} }));
  const size = await writeWhole(file, archivePieces({ ...platform, billing }, { accountId, actor: COMMAND_LINE }));
  const kept = 'It contains names, addresses and phone numbers. Keep it where no one else can read it.';
  return {
    data: { id: accountId, file, size },
    text: `${file} contains all data of ${displayName}, ${counted(size, 'byte')}.\n${kept}`,
  };
}

/** The name of an account that is not deleted. */
async function nameOfStanding(installation: Installation, accountId: string): Promise<string> {
  const found = await deletionOf(installation, accountId);
  if (!found) throw new CommandRefused(`There is no account ${accountId}.`);
  if (found.deleted) throw new CommandRefused(`${accountId} is deleted. Restore it first: npm run admin -- accounts restore ${accountId}`);
  return found.displayName;
}

const isTaken = (file: string) => new CommandRefused(`${file} is there already, and is not overwritten.`);

async function refuseTaken(file: string): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) throw isTaken(file);
}

/** Gives how many bytes it has. */
async function writeWhole(file: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  const unfinished = `${file}.unfinished`;
  await rm(unfinished, { force: true });
  try {
    const written = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(Readable.from(pieces, { objectMode: false }), written);
    await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? isTaken(file) : error;
    });
    await syncFolder(path.dirname(file));
    return written.bytesWritten;
  } finally {
    await rm(unfinished, { force: true });
  }
}
