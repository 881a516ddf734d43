import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ACCOUNT_RESTORE_WINDOW, accountOperations, type ListedAccount } from '#contract/account/account.ts';
import { pluralize } from '#contract/core/sentences.ts';
import { COMMAND_LINE } from '#contract/event/event.ts';
import { userOperations } from '#contract/user/user.ts';
import * as accounts from '../account/store.ts';
import { writeOnce } from '../disk/durable-file.ts';
import { recordForInstallation } from '../event/store.ts';
import { archivePieces } from '../export/export-jobs.ts';
import { atCommandLine, narrowTo } from '../platform/tenancy/access.ts';
import type { Installation } from './installation.ts';
import { type CommandOutcome, CommandRefused, minute, table } from './output.ts';

const PAGE_SIZE = 100;
const MOST_ROWS = 1_000;

/** Lists accounts whose name or id contains the text, newest first; all accounts if it is empty. */
export async function listAccounts({ operate, handlers }: Installation, search = ''): Promise<CommandOutcome> {
  const { items, hasMore } = await readPages(async (cursor) => {
    const answer = await operate(accountOperations.list, handlers.account.list, { search, limit: PAGE_SIZE, ...cursor });
    return answer.status === 'ok' ? { items: answer.accounts, cursor: answer.cursor } : NONE;
  });
  const rows = items.map(({ account: { id, data }, users, properties, deletedAt }) => [
    id,
    data.displayName,
    minute(data.created),
    users,
    properties,
    deletedAt === undefined ? data.subscription.status : `deleted, until ${minute(deletedAt + ACCOUNT_RESTORE_WINDOW)}`,
  ]);
  const list = table(['Id', 'Name', 'Signed up', 'People', 'Places', 'Status'], rows);
  return { data: { accounts: items.map(accountData), hasMore }, text: listText(list, items.length, 'account', hasMore) };
}

const accountData = ({ account: { id, data }, users, properties, deletedAt }: ListedAccount) => ({
  id,
  name: data.displayName,
  created: data.created,
  people: users,
  places: properties,
  subscription: data.subscription,
  ...(deletedAt !== undefined && { deleted: deletedAt, restorableUntil: deletedAt + ACCOUNT_RESTORE_WINDOW }),
});

/** Lists people of every account whose name, address or id contains the text, by address. */
export async function findPeople({ operate, handlers }: Installation, search: string): Promise<CommandOutcome> {
  const { items, hasMore } = await readPages(async (cursor) => {
    const answer = await operate(userOperations.masterList, handlers.user.masterList, { search, limit: PAGE_SIZE, ...cursor });
    return answer.status === 'ok' ? { items: answer.users, cursor: answer.cursor } : NONE;
  });
  const rows = items.map(({ user: { data }, company }) => [
    data.emailAddress,
    data.displayName,
    data.invited ? `${data.level}, invited` : data.level,
    company,
    data.accountId,
  ]);
  const people = items.map(({ user: { id, data }, company }) => ({
    id,
    name: data.displayName,
    email: data.emailAddress,
    level: data.level,
    invited: data.invited ?? false,
    created: data.created,
    account: { id: data.accountId, name: company },
  }));
  const list = table(['Email', 'Name', 'Level', 'Account', 'Account id'], rows);
  return { data: { people, hasMore }, text: listText(list, items.length, 'person', hasMore, 'people') };
}

const NONE = { items: [], cursor: null };

async function readPages<T>(
  read: (cursor: { readonly cursor?: string }) => Promise<{ readonly items: readonly T[]; readonly cursor: string | null }>,
): Promise<{ items: T[]; hasMore: boolean }> {
  const items: T[] = [];
  let next: string | null | undefined;
  do {
    const page = await read(next ? { cursor: next } : {});
    items.push(...page.items);
    next = page.cursor;
  } while (next && items.length < MOST_ROWS);
  return { items, hasMore: Boolean(next) };
}

function listText(list: string, count: number, singular: string, hasMore: boolean, plural?: string): string {
  if (count === 0) return `No ${singular} was found.`;
  return `${list}\n\n${pluralize(count, singular, plural)}${hasMore ? ', and more. Search to narrow the list' : ''}.`;
}

/** Restores an account deleted less than seven days ago, as an operator can. */
export async function restoreAccount(installation: Installation, accountId: string): Promise<CommandOutcome> {
  const { operate, handlers } = installation;
  const answer = await operate(accountOperations.masterRestore, handlers.account.masterRestore, { accountId });
  if (answer.status !== 'ok') throw new CommandRefused(await restoreRefusal(installation, accountId));
  return { data: { id: accountId, restored: true }, text: `${accountId} is restored. Its people can sign in, and its forms are open.` };
}

async function restoreRefusal(installation: Installation, accountId: string): Promise<string> {
  const account = await deletionOf(installation, accountId);
  if (!account) return `There is no account ${accountId}.`;
  return account.deleted ? `The seven days to restore ${accountId} have passed.` : `${accountId} is not deleted.`;
}

const deletionOf = ({ platform }: Installation, accountId: string) =>
  atCommandLine(platform, (scope) => narrowTo(scope, accountId, accounts.deletionOf));

/** Exports an account's data to a file, as its admins can. Leaves no file if it fails. */
export async function exportAccount(installation: Installation, accountId: string, file: string): Promise<CommandOutcome> {
  const displayName = await nameOfUndeleted(installation, accountId);
  const { platform, billing } = installation;
  const size = await writeOnce(file, async (unfinished) => {
    await atCommandLine(platform, (scope) => recordForInstallation(scope, 'account.exported', { subject: accountId, data: {} }));
    const stream = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
    const pieces = archivePieces({ ...platform, billing }, { accountId, actor: COMMAND_LINE });
    await pipeline(Readable.from(pieces, { objectMode: false }), stream);
    return stream.bytesWritten;
  });
  const warning = 'It contains names, addresses and phone numbers. Store it where no one else can read it.';
  return {
    data: { id: accountId, file, size },
    text: `${file} contains all data of ${displayName}, ${pluralize(size, 'byte')}.\n${warning}`,
  };
}

/** Returns an account's name; throws if the account is deleted or unknown. */
async function nameOfUndeleted(installation: Installation, accountId: string): Promise<string> {
  const account = await deletionOf(installation, accountId);
  if (!account) throw new CommandRefused(`There is no account ${accountId}.`);
  if (account.deleted)
    throw new CommandRefused(`${accountId} is deleted. Restore it first: npm run admin -- accounts restore ${accountId}`);
  return account.displayName;
}
