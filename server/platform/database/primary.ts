import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { DatabaseClient } from './client.ts';
import type { ConnectionSettings } from './database.ts';
import { type DatabaseServer, readServers } from './url.ts';

/**
 * Returns connection settings for a database URL. If it names several servers, each connection goes to the one that accepts writes
 * and closes when that server no longer does.
 */
export function connectTo(url: string, log: MoveLog): ConnectionSettings {
  const cluster = readServers(url);
  if (!cluster) return { connectionString: url };
  const primary = new Primary(cluster.servers, log);
  return {
    connectionString: cluster.url,
    Client: class extends FollowingClient {
      constructor(config: pg.ClientConfig = {}) {
        super(config, primary);
      }
    },
  };
}

type MoveLog = Pick<FastifyBaseLogger, 'info'>;

/** Time for one server to report whether it accepts writes (ms). */
const ANSWER_TIMEOUT = 700;
/** Pause between two rounds while a standby is being promoted (ms). */
const PAUSE = 100;
/** Time to look for the primary, for a connection without its own timeout (ms). */
const LOOKUP_TIMEOUT = 5_000;
/** Interval of looking for a newer primary while connected to one (ms). */
const CHECK_INTERVAL = 5_000;
/** Part of a connection's timeout used to find the primary; the rest is left for connecting. */
const SHARE = 0.8;

/** Tracks which of several servers accepts writes, for all connections of this process. */
class Primary {
  readonly #servers: readonly DatabaseServer[];
  readonly #log: MoveLog;
  readonly #clients = new Map<FollowingClient, DatabaseServer>();
  #current: DatabaseServer | undefined;
  /** The most recent primary, which may come back soon. */
  #previous: DatabaseServer | undefined;
  /** Each promotion starts a new timeline. A server on an older one has been replaced without noticing. */
  #timeline = 0;
  #lookup: Promise<LookupResult> | undefined;
  #checks: NodeJS.Timeout | undefined;

  constructor(servers: readonly DatabaseServer[], log: MoveLog) {
    this.#servers = servers;
    this.#log = log;
  }

  /** Queries the servers until one accepts writes. Throws the last round's result when the client's timeout is nearly over. */
  async find(client: FollowingClient, config: pg.ClientConfig): Promise<DatabaseServer> {
    const end = Date.now() + (config.connectionTimeoutMillis ?? LOOKUP_TIMEOUT) * SHARE;
    for (;;) {
      const lookup = await this.#look(config);
      if ('server' in lookup) {
        this.#clients.set(client, lookup.server);
        client.once('end', () => this.#clients.delete(client));
        this.#checks ??= setInterval(() => this.#check(config), CHECK_INTERVAL).unref();
        return lookup.server;
      }
      if (lookup.rejection) throw lookup.rejection;
      if (Date.now() + PAUSE > end) throw new NoPrimaryError(lookup.reasons);
      await sleep(PAUSE);
    }
  }

  /** Makes the next connection look for the primary again, after a connection failed or refused writes. */
  doubt(server: DatabaseServer): void {
    if (this.#current === server) this.#current = undefined;
  }

  async #look(config: pg.ClientConfig): Promise<LookupResult> {
    return this.#current ? { server: this.#current } : this.#lookUp(config);
  }

  /** A replaced primary may stay up, and keep its connections waiting for a standby that no longer follows it. */
  #check(config: pg.ClientConfig): void {
    if (this.#clients.size > 0) return void this.#lookUp(config);
    clearInterval(this.#checks);
    this.#checks = undefined;
  }

  /** Shares one lookup among all clients that connect at the same time. */
  #lookUp(config: pg.ClientConfig): Promise<LookupResult> {
    this.#lookup ??= this.#ask(config).finally(() => {
      this.#lookup = undefined;
    });
    return this.#lookup;
  }

  async #ask(config: pg.ClientConfig): Promise<LookupResult> {
    const answers = await Promise.all(this.#servers.map((server) => probe(server, config)));
    const [best] = answers
      .filter((answer) => 'timeline' in answer)
      .filter(({ timeline }) => timeline >= this.#timeline)
      .sort((a, b) => b.timeline - a.timeline);
    if (best) return this.#settle(best);
    return {
      reasons: answers.map((answer) => `${nameOf(answer.server)} ${'timeline' in answer ? 'was replaced by another' : answer.reason}`),
      rejection: answers.map((answer) => ('rejection' in answer ? answer.rejection : undefined)).find(Boolean),
    };
  }

  #settle({ server, timeline }: WritableServer): LookupResult {
    if (this.#previous && server !== this.#previous)
      this.#log.info({ server: nameOf(server), timeline }, 'switched to another server, which now takes writes');
    this.#current = this.#previous = server;
    this.#timeline = timeline;
    for (const [client, connected] of this.#clients) if (connected !== server) client.leave();
    return { server };
  }
}

type LookupResult = { readonly server: DatabaseServer } | { readonly reasons: readonly string[]; readonly rejection: Error | undefined };

interface WritableServer {
  readonly server: DatabaseServer;
  readonly timeline: number;
}

/** A server that can't be used. `rejection` is set if it rejected the role or the database, which waiting won't change. */
interface UnusableServer {
  readonly server: DatabaseServer;
  readonly reason: string;
  readonly rejection?: Error;
}

const CAN_WRITE = `
  select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as closed,
         case when not pg_is_in_recovery() then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer end as timeline`;
/** SQLSTATE: no such role, password, or database. */
const REJECTION = /^(?:28...|3D000)$/;

async function probe(server: DatabaseServer, config: pg.ClientConfig): Promise<WritableServer | UnusableServer> {
  const client = new DatabaseClient({ ...config, connectionTimeoutMillis: ANSWER_TIMEOUT, query_timeout: ANSWER_TIMEOUT });
  Object.assign(client, server);
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean; closed: boolean; timeline: number }>(CAN_WRITE);
    const [row] = rows;
    if (!row || row.standby) return { server, reason: 'is a standby' };
    return row.closed ? { server, reason: 'takes no writes' } : { server, timeline: row.timeline };
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    const reason = `does not answer (${code || message})`;
    return REJECTION.test(code) ? { server, reason, rejection: error as Error } : { server, reason };
  } finally {
    // A hanging server may never confirm the end of the connection.
    client.end().catch(() => undefined);
  }
}

const nameOf = ({ host, port }: DatabaseServer): string => `${host}:${port}`;

/** A connection to the server that accepts writes. */
class FollowingClient extends DatabaseClient {
  readonly #config: pg.ClientConfig;
  readonly #primary: Primary;

  constructor(config: pg.ClientConfig, primary: Primary) {
    super(config);
    this.#config = config;
    this.#primary = primary;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
  override connect(callback?: (error: never, client: pg.Client) => void): Promise<pg.Client> | undefined {
    const connected = this.#connect();
    if (!callback) return connected;
    // The driver's two forms of a callback differ in type only.
    const call = callback as (error: Error | null, client?: pg.Client) => void;
    connected.then(
      () => call(null, this),
      (error: Error) => call(error),
    );
    return undefined;
  }

  async #connect(): Promise<pg.Client> {
    const server = await this.#primary.find(this, this.#config);
    Object.assign(this, server);
    const { connection } = this;
    // Sent at the start of a session and on every change.
    connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (READ_ONLY.includes(parameterName) && parameterValue === 'on') this.#leave(server);
    });
    connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
      if (code === READ_ONLY_STATE) this.#leave(server);
    });
    this.on('error', () => this.#primary.doubt(server));
    try {
      return await super.connect();
    } catch (error) {
      this.#primary.doubt(server);
      throw error;
    }
  }

  /** Closes the connection because another server accepts writes now. */
  leave(): void {
    this.abort(new MovedError());
  }

  #leave(server: DatabaseServer): void {
    this.#primary.doubt(server);
    // The running statement receives the server's own error first.
    process.nextTick(() => this.leave());
  }
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

const READ_ONLY = ['in_hot_standby', 'default_transaction_read_only'];
/** SQLSTATE of a write in a read-only session. */
const READ_ONLY_STATE = '25006';

class NoPrimaryError extends Error {
  /** SQLSTATE: unable to establish a connection. */
  readonly code = '08001';

  constructor(reasons: readonly string[]) {
    super(`None of the database servers accepts writes: ${reasons.join(', ')}`);
  }
}

class MovedError extends Error {
  /** SQLSTATE: connection failure. */
  readonly code = '08006';

  constructor() {
    super('Another server has taken over the database');
  }
}
