import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type pg from 'pg';
import { postmasterPid } from '../../test/support/postgres/harness.ts';
import { newServer, query, superuserOf, type TestServer, urlOf } from '../../test/support/postgres/server.ts';
import { freezeTree, hasExited, killChild, killTree } from '../../test/support/processes.ts';
import { freePort } from '../free-port.ts';
import { isInstalled } from './disk.ts';
import { until } from './until.ts';

/** Three PostgreSQL servers run by Patroni as in `deploy/patroni.yml`, with one etcd. */
export interface PatroniCluster {
  /** The libpq URL of all servers. */
  readonly url: string;
  /** Returns the settings of a connection to the primary that bypasses row security. */
  connection(): pg.ClientConfig;
  /** Stops replication from the primary, which still accepts writes. */
  holdReplication(): Promise<void>;
  /** Kills every process of the primary at once. */
  killPrimary(): Promise<void>;
  /** Stops every process of the primary and its Patroni for good, as when its machine dies: connections stay open, without an answer. */
  loseMachine(): Promise<void>;
  /** Starts what died. Resolves when there is a primary and all others replicate it. */
  restore(): Promise<void>;
  stop(): Promise<void>;
}

interface PatroniNode {
  readonly name: string;
  readonly folder: string;
  readonly server: TestServer;
  readonly apiPort: number;
  /** The output of Patroni and its server. */
  readonly log: string[];
  patroni: ChildProcess;
}

type NewNode = Omit<PatroniNode, 'patroni'>;

interface PatroniOptions {
  /** Whether commits wait for a standby, as in `deploy/patroni.yml`. */
  readonly isSynchronous: boolean;
}

interface NodeOptions extends PatroniOptions {
  /** The address of etcd. */
  readonly etcd: string;
}

const NAMES = ['node1', 'node2', 'node3'];
const CONFIGURATION = new URL('../../deploy/patroni.yml', import.meta.url);
const POSTGRES = '/usr/lib/postgresql';
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' };
const REPLICATED_WITHIN = 60_000;
const LAST_LINES = 10;

/** Returns why this machine can't run them, or undefined if it can. */
export async function whyNoPatroni(): Promise<string | undefined> {
  const isComplete = (await isInstalled('patroni')) && (await isInstalled('etcd')) && (await newestPostgres()) !== undefined;
  if (process.platform === 'linux' && isComplete) return undefined;
  return 'it needs Patroni, etcd and PostgreSQL (Debian: apt-get install patroni etcd-server postgresql)';
}

/** Returns the folder of the newest PostgreSQL's programs. */
async function newestPostgres(): Promise<string | undefined> {
  const [newest] = (await readdir(POSTGRES).catch(() => [])).map(Number).sort((a, b) => b - a);
  return newest === undefined ? undefined : path.join(POSTGRES, String(newest), 'bin');
}

export async function openPatroniCluster(folder: string, options: PatroniOptions): Promise<PatroniCluster> {
  const etcd = await startEtcd(path.join(folder, 'etcd'));
  const nodes = await Promise.all(NAMES.map((name) => createNode(path.join(folder, name), { ...options, etcd: etcd.address })));
  let primary = await replicatedPrimary(nodes, options).catch(async (error: Error) => {
    await stop();
    throw error;
  });
  let lost: PatroniNode | undefined;

  return {
    url: `${urlOf(...nodes.map(({ server }) => server))}?target_session_attrs=read-write`,
    connection: () => superuserOf(primary.server),
    async holdReplication() {
      const { rows } = await query<{ pid: number }>(primary.server, 'select pid from pg_stat_replication');
      for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
    },
    killPrimary: () => killPostgres(primary),
    async loseMachine() {
      lost = primary;
      await Promise.all([primary.patroni.pid, await postmasterPid(primary.folder)].map((pid) => pid && freezeTree(pid)));
    },
    async restore() {
      if (lost) await killNode(lost);
      lost = undefined;
      for (const node of nodes) if (hasExited(node.patroni)) node.patroni = startPatroni(node);
      primary = await replicatedPrimary(nodes, options);
    },
    stop,
  };

  async function stop(): Promise<void> {
    await Promise.all(nodes.map(killNode));
    await killChild(etcd.process);
  }
}

async function startEtcd(folder: string): Promise<{ readonly address: string; readonly process: ChildProcess }> {
  const [address, peer] = [`127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  const options = {
    'data-dir': folder,
    'listen-client-urls': `http://${address}`,
    'advertise-client-urls': `http://${address}`,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  return { address, process: spawn('etcd', args, { env: ENVIRONMENT, stdio: 'ignore' }) };
}

async function createNode(folder: string, options: NodeOptions): Promise<PatroniNode> {
  await mkdir(folder);
  const node = { name: path.basename(folder), folder, server: await newServer(folder, 'postgres'), apiPort: await freePort(), log: [] };
  const configuration = path.join(folder, 'patroni');
  await mkdir(configuration, { mode: 0o755 });
  // Patroni merges the files of a folder in the order of their names, and JSON is YAML.
  await copyFile(CONFIGURATION, path.join(configuration, 'deploy.yml'));
  await writeFile(path.join(configuration, 'node.yml'), JSON.stringify(await differences(node, options)));
  return { ...node, patroni: startPatroni(node) };
}

/** Returns what differs from the configuration for a machine of its own. */
async function differences({ name, folder, server, apiPort }: NewNode, { etcd, isSynchronous }: NodeOptions) {
  const { user, password, port } = superuserOf(server);
  const [address, api] = [`127.0.0.1:${port}`, `127.0.0.1:${apiPort}`];
  return {
    name,
    etcd3: { hosts: [etcd] },
    restapi: { listen: api, connect_address: api },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: server.pgdata,
      bin_dir: await newestPostgres(),
      pgpass: path.join(folder, 'pgpass'),
      authentication: { superuser: { username: user, password } },
      parameters: { unix_socket_directories: '' },
    },
    ...(!isSynchronous && { bootstrap: { dcs: { synchronous_mode: false, synchronous_mode_strict: false } } }),
  };
}

function startPatroni({ folder, server, log }: NewNode): ChildProcess {
  const { osUser } = server.binaries;
  const child = spawn('patroni', [path.join(folder, 'patroni')], {
    // That user may not be able to enter the current folder.
    cwd: '/',
    env: ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(osUser && { uid: osUser.uid, gid: osUser.gid }),
  });
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', (line) => log.push(line));
  return child;
}

async function killNode(node: PatroniNode): Promise<void> {
  await killChild(node.patroni);
  await killPostgres(node);
}

async function killPostgres({ folder }: PatroniNode): Promise<void> {
  const pid = await postmasterPid(folder);
  if (pid !== 0) await killTree(pid);
}

/** Waits until there is a primary that all others replicate, and returns it. */
async function replicatedPrimary(nodes: readonly PatroniNode[], options: PatroniOptions): Promise<PatroniNode> {
  let primary: PatroniNode | undefined;
  await until(async () => {
    primary = await findReplicated(nodes, options).catch(() => undefined);
    return primary !== undefined;
  }, REPLICATED_WITHIN);
  if (primary) return primary;
  const lines = nodes.flatMap(({ name, log }) => log.slice(-LAST_LINES).map((line) => `${name}: ${line}`));
  throw new Error(`Patroni has no primary with ${nodes.length - 1} standbys after ${REPLICATED_WITHIN} ms:\n${lines.join('\n')}`);
}

async function findReplicated(nodes: readonly PatroniNode[], { isSynchronous }: PatroniOptions): Promise<PatroniNode | undefined> {
  const members = await Promise.any(nodes.map(membersAt));
  const leader = members.find(({ role }) => role === 'leader');
  const primary = nodes.find(({ name }) => name === leader?.name);
  // A server that was replaced replicates for a moment before Patroni rewinds it.
  const areInStep = members.every(({ state, timeline }) => RUNNING.includes(state) && timeline === leader?.timeline);
  const areAssigned = members.every(({ role }) => ['leader', isSynchronous ? 'sync_standby' : 'replica'].includes(role));
  if (!primary || !areInStep || !areAssigned) return undefined;
  const standbys = await query(
    primary.server,
    `select from pg_stat_replication where application_name like 'node%' and state = 'streaming'`,
  );
  return standbys.rowCount === nodes.length - 1 ? primary : undefined;
}

/** A server as Patroni lists it: https://patroni.readthedocs.io/en/latest/rest_api.html */
interface ClusterMember {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

/** The state of a standby differs by version. */
const RUNNING = ['running', 'streaming'];

async function membersAt({ apiPort }: PatroniNode): Promise<readonly ClusterMember[]> {
  const response = await fetch(`http://127.0.0.1:${apiPort}/cluster`, { signal: AbortSignal.timeout(2_000) });
  return ((await response.json()) as { members: ClusterMember[] }).members;
}
