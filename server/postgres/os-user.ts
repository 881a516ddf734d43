import { readFile, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Application } from './application.ts';
import { EmbeddedPostgresError, ownServerAdvice } from './errors.ts';

/** A user of the operating system that the server runs as. */
export interface OsUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export const isRoot = (): boolean => process.getuid?.() === 0;

/** PostgreSQL refuses to run as root; this is who runs it then. */
export async function unprivilegedUser(application: Application): Promise<OsUser> {
  const { name: firstChoice, title } = application;
  const names = [firstChoice, 'postgres', 'nobody'];
  const users = await listUsers();
  const found = names.map((name) => users.find((user) => user.name === name)).find(Boolean);
  if (found) return found;
  throw new EmbeddedPostgresError(
    'no_unprivileged_user',
    `PostgreSQL does not run as root, and this system has no user named ${names.join(', ')}. Add the user "${firstChoice}", start ${title} as an ordinary user, or ${ownServerAdvice(application)}.`,
  );
}

/** The user of a number. One that owns a folder may have no name on this system. */
export async function userOf({ uid, gid }: { uid: number; gid: number }): Promise<OsUser> {
  const named = (await listUsers()).find((user) => user.uid === uid);
  return named ?? { name: `user ${uid}`, uid, gid };
}

/** The user of this process, for messages. */
export function currentUserName(): string {
  try {
    return `"${os.userInfo().username}"`;
  } catch {
    return `number ${process.getuid?.()}`;
  }
}

/** Whether the user can reach what is in the folder: search permission on it and on each folder above. */
export async function canTraverse(folder: string, user: OsUser): Promise<boolean> {
  const above = path.dirname(folder);
  if (!(await isPermitted(folder, { user, bit: 0o1 }))) return false;
  return above === folder || canTraverse(above, user);
}

/** Whether the mode of the file gives the user the permission: 4 to read, 2 to write, 1 to run or search. */
export async function isPermitted(file: string, { user, bit }: { user: OsUser; bit: number }): Promise<boolean> {
  const { mode, uid, gid } = await stat(file);
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  return ((mode >> shift) & bit) === bit;
}

async function listUsers(): Promise<OsUser[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}
