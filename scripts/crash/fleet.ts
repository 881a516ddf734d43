import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { initialize, killServer, newServer, startServer, superuserOf, type TestServer, urlOf } from '../../test/support/postgres/server.ts';
import { killChild } from '../../test/support/processes.ts';
import { freePort } from '../free-port.ts';
import { isInstalled } from './disk.ts';
import { until } from './until.ts';
import { isReadyAt, openVictim, type Victim } from './victim.ts';

/** Four web and two worker processes behind HAProxy, on one PostgreSQL behind PgBouncer, as in `deploy/`. */
export interface Fleet {
  readonly processes: readonly Victim[];
  /** The fleet as one product, at HAProxy's address. */
  readonly whole: Victim;
}

const READY_WITHIN = 10_000;
const DEPLOY = new URL('../../deploy/', import.meta.url);
/** The `ROLES` of each process. The first ones are HAProxy's. */
const PROCESSES = ['web', 'web', 'web', 'web', 'worker', 'worker'];
/** Debian's HAProxy is in a folder for administrators. */
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' };

/** Returns why this machine can't run it, or undefined if it can. */
export async function whyNoFleet(): Promise<string | undefined> {
  const isComplete = (await isInstalled('haproxy')) && (await isInstalled('pgbouncer'));
  return process.platform === 'linux' && isComplete
    ? undefined
    : 'it needs HAProxy and PgBouncer (Debian: apt-get install haproxy pgbouncer)';
}

export async function openFleet(folder: string): Promise<Fleet> {
  const server = await newServer(folder, 'postgres');
  const programs: ChildProcess[] = [];
  const processes: Victim[] = [];
  try {
    await initialize(server);
    await startServer(server);
    const pooler = await startPgBouncer(folder, server);
    programs.push(pooler.process);
    const database = { url: urlOf(server), connection: () => superuserOf(server) };
    const shared = { DATABASE_POOLER: pooler.address, IDENTITY_SECRET: randomBytes(32).toString('hex'), TRUSTED_PROXIES: '1' };
    for (const [index, ROLES] of PROCESSES.entries())
      processes.push(await openVictim({ dataDir: path.join(folder, String(index)), database, settings: { ...shared, ROLES } }));
    const proxy = await startHaProxy(folder, processes);
    programs.push(proxy.process);
    if (!(await until(() => isReadyAt(proxy.address), READY_WITHIN))) throw new Error(`HAProxy was not ready within ${READY_WITHIN} ms`);
    return { processes, whole: { ...(processes[0] as Victim), address: proxy.address, stop } };
  } catch (error) {
    await stop();
    throw error;
  }

  async function stop(): Promise<void> {
    await Promise.all(processes.map((victim) => victim.stop()));
    await Promise.all(programs.map(killChild));
    await killServer(server);
  }
}

interface LocalProxy {
  readonly address: string;
  readonly process: ChildProcess;
}

/** Starts PgBouncer with `deploy/pgbouncer.ini` and other addresses. It refuses to run as root. */
async function startPgBouncer(folder: string, server: TestServer): Promise<LocalProxy> {
  const { user, password, port } = superuserOf(server);
  const listenPort = await freePort();
  const users = path.join(folder, 'userlist.txt');
  await writeFile(users, `"${user}" "${password}"\n`);
  const deployed = await readFile(new URL('pgbouncer.ini', DEPLOY), 'utf8');
  const file = path.join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    deployed
      .replace('host=10.0.0.1 port=5432', `host=127.0.0.1 port=${port}`)
      .replace('listen_addr = *', 'listen_addr = 127.0.0.1\nunix_socket_dir =')
      .replace('listen_port = 6432', `listen_port = ${listenPort}`)
      .replace('auth_user = pgbouncer', `auth_user = ${user}`)
      .replace('/etc/pgbouncer/userlist.txt', users),
  );
  const { osUser } = server.binaries;
  // That user may not be able to enter the current folder.
  const options = { cwd: '/', env: ENVIRONMENT, ...(osUser && { uid: osUser.uid, gid: osUser.gid }) };
  return { address: `127.0.0.1:${listenPort}`, process: spawn('pgbouncer', [file], { ...options, stdio: 'ignore' }) };
}

/** Starts HAProxy with `deploy/haproxy.cfg` and other ports. */
async function startHaProxy(folder: string, processes: readonly Victim[]): Promise<LocalProxy> {
  const port = await freePort();
  const deployed = await readFile(new URL('haproxy.cfg', DEPLOY), 'utf8');
  const file = path.join(folder, 'haproxy.cfg');
  await writeFile(
    file,
    deployed
      .replace('bind :80', `bind 127.0.0.1:${port}`)
      .replace(/127\.0\.0\.1:808(\d)/g, (_, number) => new URL(processes[Number(number) - 1]?.address ?? '').host),
  );
  return { address: `http://127.0.0.1:${port}`, process: spawn('haproxy', ['-f', file], { env: ENVIRONMENT, stdio: 'ignore' }) };
}
