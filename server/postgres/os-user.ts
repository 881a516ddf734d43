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

/** Returns the user to run PostgreSQL as when root starts it, because it refuses to run as root. Throws if there is none. */
export async function unprivilegedUser(application: Application): Promise<OsUser> {
  const { name: firstChoice, title } = application;
  const names = [firstChoice, 'postgres', 'nobody'];
  const users = await listUsers();
  const match = names.map((name) => users.find((user) => user.name === name)).find(Boolean);
  if (match) return match;
  throw new EmbeddedPostgresError(
    'no_unprivileged_user',
    `PostgreSQL can’t run as root, and this system has no user named ${names.join(', ')}. Add the user "${firstChoice}", start ${title} as an ordinary user, or ${ownServerAdvice(application)}.`,
  );
}

/** Returns the user with an id; the owner of a folder may have no name on this system. */
export async function userOf({ uid, gid }: { uid: number; gid: number }): Promise<OsUser> {
  const user = (await listUsers()).find((candidate) => candidate.uid === uid);
  return user ?? { name: `user ${uid}`, uid, gid };
}

/** Returns the name of this process's user, for messages. */
export function currentUserName(): string {
  try {
    return `"${os.userInfo().username}"`;
  } catch {
    return `number ${process.getuid?.()}`;
  }
}

/** Returns whether a user can traverse a folder: they need search permission on it and on each folder above. */
export async function canTraverse(folder: string, user: OsUser): Promise<boolean> {
  const above = path.dirname(folder);
  if (!(await isPermitted(folder, { user, bit: 0o1 }))) return false;
  return above === folder || canTraverse(above, user);
}

/** Returns whether a file's mode grants a user the permission: 4 to read, 2 to write, 1 to run or search. */
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
