import { readFile, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { EmbeddedPostgresError, OWN_SERVER } from './errors.ts';

/** The system's user a server runs as. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** First choice first. */
const UNPRIVILEGED = ['afterword', 'postgres', 'nobody'];

export const isRoot = (): boolean => process.getuid?.() === 0;

/** PostgreSQL refuses to run as root; this is who runs it then. */
export async function unprivilegedAccount(): Promise<Account> {
  const accounts = await listAccounts();
  const found = UNPRIVILEGED.map((name) => accounts.find((account) => account.name === name)).find(Boolean);
  if (found) return found;
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and this system has no user named ${UNPRIVILEGED.join(', ')}. Add the user "afterword", start Afterword as an ordinary user, or ${OWN_SERVER}.`,
  );
}

/** The account of a number: a folder may belong to a user that has no name here. */
export async function accountOf({ uid, gid }: { uid: number; gid: number }): Promise<Account> {
  const named = (await listAccounts()).find((account) => account.uid === uid);
  return named ?? { name: `user ${uid}`, uid, gid };
}

/** As messages name the user who runs this process. */
export function ourName(): string {
  try {
    return `"${os.userInfo().username}"`;
  } catch {
    return `number ${process.getuid?.()}`;
  }
}

/** Whether the account can reach what is in the folder: search permission on it and on each folder above. */
export async function canTraverse(folder: string, account: Account): Promise<boolean> {
  const above = path.dirname(folder);
  if (!(await isPermitted(folder, { account, bit: 0o1 }))) return false;
  return above === folder || canTraverse(above, account);
}

/** Whether the mode of the file gives the account the permission: 4 to read, 2 to write, 1 to run or search. */
export async function isPermitted(file: string, { account, bit }: { account: Account; bit: number }): Promise<boolean> {
  const { mode, uid, gid } = await stat(file);
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
  return ((mode >> shift) & bit) === bit;
}

async function listAccounts(): Promise<Account[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}
