import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { DatabaseClient } from './client.ts';
import type { ConnectionSettings } from './database.ts';
import { type DatabaseServer, readServers } from './url.ts';

/**
 * How to connect to the database of an address. Where that names several servers, each connection goes to the one that
 * takes writes, and leaves it when it no longer does.
 */
export function connectTo(url: string, log: MoveLog): ConnectionSettings {
  const several = readServers(url);
  if (!several) return { connectionString: url };
  const primary = new Primary(several.servers, log);
  return {
    connectionString: several.url,
    Client: class extends FollowingClient {
      constructor(config: pg.ClientConfig = {}) {
        super(config, primary);
      }
    },
  };
}

type MoveLog = Pick<FastifyBaseLogger, 'info'>;

/** Ms that one server has to say whether it takes writes. */
const ANSWER = 700;
/** Ms between two rounds of questions: a promotion is under way. */
const PAUSE = 100;
/** Ms for which a connection without a time-out of its own looks for the server. */
const LONGEST_LOOK = 5_000;
/** What is left of a connection's time-out for connecting, once the server is found. */
const SHARE = 0.8;

/** Which of several servers takes writes, as all connections of this process know it. */
class Primary {
  readonly #servers: readonly DatabaseServer[];
  readonly #log: MoveLog;
  readonly #clients = new Map<FollowingClient, DatabaseServer>();
  #current: DatabaseServer | undefined;
  /** The last one, which may be back soon. */
  #previous: DatabaseServer | undefined;
  /** A promotion begins a new one. Whoever is behind was replaced and does not know it yet. */
  #timeline = 0;
  #looking: Promise<Look> | undefined;

  constructor(servers: readonly DatabaseServer[], log: MoveLog) {
    this.#servers = servers;
    this.#log = log;
  }

  /** Asks until one takes writes, as long as the connection that is to be made may take. Throws what the last round found. */
  async find(client: FollowingClient, config: pg.ClientConfig): Promise<DatabaseServer> {
    const end = Date.now() + (config.connectionTimeoutMillis ?? LONGEST_LOOK) * SHARE;
    for (;;) {
      const look = await this.#look(config);
      if ('server' in look) {
        this.#clients.set(client, look.server);
        client.once('end', () => this.#clients.delete(client));
        return look.server;
      }
      if (look.rejection) throw look.rejection;
      if (Date.now() + PAUSE > end) throw new NoPrimaryError(look.reasons);
      await sleep(PAUSE);
    }
  }

  /** A connection to it was lost, could not be made, or takes no writes: the next one looks again. */
  doubt(server: DatabaseServer): void {
    if (this.#current === server) this.#current = undefined;
  }

  /** All that connect at the same time look once. */
  async #look(config: pg.ClientConfig): Promise<Look> {
    if (this.#current) return { server: this.#current };
    this.#looking ??= this.#ask(config).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #ask(config: pg.ClientConfig): Promise<Look> {
    const answers = await Promise.all(this.#servers.map((server) => ask(server, config)));
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

  #settle({ server, timeline }: TakesWrites): Look {
    if (this.#previous && server !== this.#previous)
      this.#log.info({ server: nameOf(server), timeline }, 'another server takes writes; the product goes over to it');
    this.#current = this.#previous = server;
    this.#timeline = timeline;
    for (const [client, its] of this.#clients) if (its !== server) client.leave();
    return { server };
  }
}

type Look = { readonly server: DatabaseServer } | { readonly reasons: readonly string[]; readonly rejection: Error | undefined };

interface TakesWrites {
  readonly server: DatabaseServer;
  readonly timeline: number;
}

/** A server that cannot be worked with; `rejection` where it said so of the role or the database, which waiting does not change. */
interface TakesNone {
  readonly server: DatabaseServer;
  readonly reason: string;
  readonly rejection?: Error;
}

const CAN_WRITE = `
  select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as closed,
         case when not pg_is_in_recovery() then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer end as timeline`;
/** SQLSTATE: no such role, password, or database. */
const REJECTION = /^(?:28...|3D000)$/;

async function ask(server: DatabaseServer, config: pg.ClientConfig): Promise<TakesWrites | TakesNone> {
  const client = new DatabaseClient({ ...config, connectionTimeoutMillis: ANSWER, query_timeout: ANSWER });
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
    // What a server that hangs makes of the farewell is nothing to wait for.
    client.end().catch(() => undefined);
  }
}

const nameOf = ({ host, port }: DatabaseServer): string => `${host}:${port}`;

/** A connection to whichever server takes writes. */
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
    // Told at the start of a session, and again whenever it changes.
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

  /** Gives the connection up: another server takes writes now. */
  leave(): void {
    this.abort(new MovedError());
  }

  #leave(server: DatabaseServer): void {
    this.#primary.doubt(server);
    // The statement under way hears the server's own words first.
    process.nextTick(() => this.leave());
  }
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

const READ_ONLY = ['in_hot_standby', 'default_transaction_read_only'];
/** SQLSTATE of a write in a session that takes none. */
const READ_ONLY_STATE = '25006';

/** None of the servers takes writes. */
class NoPrimaryError extends Error {
  /** SQLSTATE: no connection could be made. */
  readonly code = '08001';

  constructor(reasons: readonly string[]) {
    super(`None of the database's servers takes writes: ${reasons.join(', ')}`);
  }
}

/** The connection led to a server that takes writes no longer. */
class MovedError extends Error {
  /** SQLSTATE: the connection failed. */
  readonly code = '08006';

  constructor() {
    super('The database is served by another server now');
  }
}
