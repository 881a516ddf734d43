import { constants } from 'node:fs';
import { lchown, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../disk/durable-file.ts';
import { runProgram } from './binaries.ts';
import { type Cluster, configurationFile } from './cluster.ts';
import { programFailed } from './errors.ts';
import { makeStagingFolder } from './staging.ts';

/** Made beside its place and renamed when complete, so that an interrupted start leaves nothing half-made. */
export async function makeCluster(cluster: Cluster): Promise<void> {
  const staging = await makeStagingFolder(cluster.pgdata);
  try {
    const pgdata = path.join(staging, 'postgres');
    await initialise(cluster, { staging, pgdata });
    await includeConfiguration(cluster, pgdata);
    await rename(pgdata, cluster.pgdata);
    await syncFolder(path.dirname(cluster.pgdata));
  } catch (error) {
    // Another start was quicker.
    if (!isTaken(error)) throw error;
  } finally {
    await rm(staging, { recursive: true, force: true }).catch(() => undefined);
  }
}

const isTaken = (error: unknown): boolean => ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Comparison by the builtin provider does not change with the system's libraries, so that no update spoils an index. */
const LOCALE = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
/** For extensions that still ask the system what a letter is, such as pg_trgm; not every system knows it. */
const LETTERS = '--lc-ctype=C.UTF-8';

async function initialise(cluster: Cluster, { staging, pgdata }: { staging: string; pgdata: string }): Promise<void> {
  const password = path.join(staging, 'password');
  await copyPassword(cluster, password);
  if (cluster.osUser) await lchown(staging, cluster.osUser.uid, cluster.osUser.gid);
  const options = [
    '-D',
    pgdata,
    `--username=${cluster.application.name}`,
    `--pwfile=${password}`,
    '--auth=scram-sha-256',
    '--data-checksums',
  ];
  let made = await runProgram(cluster.binaries, 'initdb', [...options, ...LOCALE, LETTERS]);
  if (made.output.includes('invalid locale name')) made = await runProgram(cluster.binaries, 'initdb', [...options, ...LOCALE]);
  if (made.succeeded) return;
  throw await programFailed('initdb', cluster, made.output);
}

/** The original belongs to root where root runs us. */
async function copyPassword(cluster: Cluster, file: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(`${cluster.password}\n`);
    if (cluster.osUser) await handle.chown(cluster.osUser.uid, cluster.osUser.gid);
  } finally {
    await handle.close();
  }
}

async function includeConfiguration(cluster: Cluster, pgdata: string): Promise<void> {
  const handle = await open(path.join(pgdata, 'postgresql.conf'), constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0));
  try {
    await handle.writeFile(
      `\n# ${cluster.application.title}'s own settings win over those above.\ninclude '${configurationFile(cluster)}'\n`,
    );
    await handle.sync();
  } finally {
    await handle.close();
  }
}
