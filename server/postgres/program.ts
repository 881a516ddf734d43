import { type SpawnOptions, spawn } from 'node:child_process';
import path from 'node:path';
import { EmbeddedPostgresError, OWN_SERVER } from './errors.ts';
import type { OsUser } from './os-user.ts';

/** One of PostgreSQL's programs, and whom it runs as. */
export interface Program {
  /** Absolute path. */
  readonly file: string;
  readonly osUser: OsUser | undefined;
  /** A folder that this user can enter; the current one may be closed to it. */
  readonly cwd: string;
}

export interface Outcome {
  readonly succeeded: boolean;
  /** What it printed to both outputs. */
  readonly output: string;
}

/** Runs a program to its end. Nothing of it reaches our own output. */
export function run(program: Program, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program.file, args, { ...spawnOptions(program), stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', (error) => reject(cannotRun(program, error)));
    child.on('close', (code) => resolve({ succeeded: code === 0, output: Buffer.concat(chunks).toString() }));
  });
}

/**
 * In a process group of its own: a Ctrl-C in the terminal reaches Node only, which then stops the server in order.
 * The environment is empty: it may hold our secrets, and PG* variables that would change what the programs do.
 */
export function spawnOptions({ osUser, cwd }: Program): SpawnOptions {
  return {
    cwd,
    detached: true,
    windowsHide: true,
    ...(osUser && { uid: osUser.uid, gid: osUser.gid }),
    // Messages are read by `server.ts` in English. Windows programs do not run without theirs.
    ...(process.platform !== 'win32' && { env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' } }),
  };
}

export const cannotRun = ({ file }: Program, cause: Error): Error =>
  new EmbeddedPostgresError(
    'binaries_unusable',
    `PostgreSQL's program ${path.basename(file)} does not run on this system (${cause.message}). Its binaries need a usual Linux with glibc (not Alpine), macOS or Windows; elsewhere, ${OWN_SERVER}.`,
    { cause },
  );
