import { type SQL, sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { badField, type Refusal, refusal } from '#contract/core/errors.ts';
import { ZONE_MESSAGE } from '#contract/core/schema.ts';
import { type FairQueue, openFairQueue } from '../tenancy/fair-queue.ts';
import { DatabaseClient, throughPooler } from './client.ts';

/** A connection inside a transaction, as stores use it. */
export type Transaction = NodePgDatabase & { readonly $client: pg.PoolClient } & Distribution;

/** Whether the database is a Citus cluster, where a statement may insert into only one distributed table. */
interface Distribution {
  readonly isDistributed: boolean;
}

/** Part of a `where` that one module's store provides for another's statement, so that one query does the work of two. */
export type Condition = SQL;

/** A URL, or the embedded server's socket. */
type ServerAddress = Pick<pg.ClientConfig, 'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'>;

/** Where and how to connect. Tests on a busy machine wait longer for a connection, a statement and a share (ms). */
export interface ConnectionSettings extends ServerAddress, Pick<pg.ClientConfig, 'connectionTimeoutMillis'>, Partial<Distribution> {
  readonly statement_timeout?: number;
  readonly idle_in_transaction_session_timeout?: number;
  /** For how long an account or network waits for its share of the connections. */
  readonly sharePatience?: number;
  /** `host:port` of a pooler in transaction mode, which the pools connect to. LISTEN and the job queue don't. */
  readonly pooler?: string | undefined;
  /** The class of each connection, if the URL names several servers. */
  readonly Client?: new (
    config?: pg.ClientConfig,
  ) => pg.Client;
}

/** Returns a client that isn't connected yet. */
export const newClient = ({ Client = DatabaseClient, ...config }: ConnectionSettings & pg.ClientConfig): pg.Client => new Client(config);

/** Role of every request from a signed-in person. It sees one account, set for each transaction. */
export const APP_ROLE = 'afterword_app';
/** Role of the public form. It may add feedback, count views and read what forms show, nothing else. */
export const INTAKE_ROLE = 'afterword_intake';
/** Role of the text search. It may read which feedback contains which words, across accounts, and nothing else. */
export const FINDER_ROLE = 'afterword_finder';
/**
 * Turns a transaction into one of the text search, with memory for the places of all matches among ten million: with less, PostgreSQL
 * remembers only their pages, and parses every text on them again. No `set local`, which Citus would repeat on the connections of the
 * role before.
 */
export const BECOME_FINDER = sql`select set_config('role', ${FINDER_ROLE}, true), set_config('work_mem', '64MB', true)`;
/** Stores the ids that a search matched, separated by spaces, for the rest of the transaction. Row security ignores this setting. */
export const storeFoundIds = (ids: SQL): SQL => sql`set_config('afterword.found_ids', ${ids}, true)`;
/** Returns those ids as rows. */
export const FOUND_IDS = sql`select unnest(string_to_array(current_setting('afterword.found_ids'), ' '))`;

/** A table on the coordinator of a cluster, with one row that no transaction changes (docs/decisions/0012-distributed-by-account.md). */
export const TWO_PHASE = 'cluster.two_phase_commit';

/** Settings that a transaction starts with and row security checks. */
type TransactionSettings = Readonly<Partial<Record<'app.account_id' | 'app.user_id' | 'app.operator' | 'app.delivery_id', string>>>;

/** Runs one statement and returns its rows. */
type RunStatement = <Row extends pg.QueryResultRow>(query: pg.QueryConfig) => Promise<Row[]>;

export interface Database extends Distribution {
  /** Runs `work` in a transaction of the app's role. No account's rows are visible until its scope is set. */
  transaction<T>(settings: TransactionSettings, work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Runs statements with the public form's role, each in its own transaction. */
  readonly visitors: NodePgDatabase;
  /** Runs one statement that saves a visitor's submission, in its own transaction. */
  readonly intake: RunStatement;
  /** Runs statements as `intake` does, in one transaction. */
  intakeTogether<T>(work: (run: RunStatement) => Promise<T>): Promise<T>;
  /** Runs statements as `intakeTogether` does, and rolls them back. */
  rehearseIntake<T>(work: (run: RunStatement) => Promise<T>): Promise<T>;
  /** Returns the current state of each pool, by name. */
  connections(): Readonly<Record<string, PoolState>>;
  /** Shares the connections for signed-in people fairly among accounts and networks. */
  readonly fairQueue: FairQueue;
  /** Opens a connection outside the pools, for LISTEN. The caller ends it. */
  connect(): Promise<pg.Client>;
  stop(): Promise<void>;
}

interface PoolState {
  readonly total: number;
  readonly idle: number;
  /** Callers waiting for a connection. */
  readonly waiting: number;
  readonly most: number;
}

interface DatabaseOptions {
  readonly connection: ConnectionSettings;
  readonly onError: (error: Error) => void;
}

/** Time limits of statements, idle transactions, locks, and the wait for a connection (ms). @limit statements */
const LIMITS = {
  statement_timeout: 5_000,
  idle_in_transaction_session_timeout: 5_000,
  lock_timeout: 2_000,
  connectionTimeoutMillis: 1_000,
} as const;
/**
 * Connections of a process: for signed-in people, for visitors opening a form, and for visitors sending feedback. Teams can't take
 * visitors' connections.
 * @limit pools
 */
const SIZES = { app: 16, visitors: 2, intake: 4 };
/** One account, or one network that signs in, uses at most a quarter of the connections. More of its requests wait (ms). @limit shares */
const SHARE = { most: SIZES.app / 4, waiting: 200, patience: 2_000 };
/**
 * Visitors' pages retry automatically, so a blocked batch fails early. Their connections stay open, and may take longer to open because
 * that takes several event loop turns of a busy process.
 * @limit statements
 */
const INTAKE_LIMITS = {
  ...LIMITS,
  statement_timeout: 3_000,
  lock_timeout: 250,
  connectionTimeoutMillis: 3_000,
  idleTimeoutMillis: 0,
} as const;
/** Extra time (ms) for the server to report a statement timeout. Without that report, the connection is dead. @limit statements */
const GRACE = 1_000;
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

export function openDatabase({ connection, onError }: DatabaseOptions): Database {
  const { isDistributed = false, sharePatience = SHARE.patience } = connection;
  const app = openPool({ ...LIMITS, ...connection, max: SIZES.app, application_name: 'afterword' }, onError);
  const asVisitor = { ...connection, application_name: 'afterword intake', role: INTAKE_ROLE };
  const visitors = openPool({ ...LIMITS, ...asVisitor, max: SIZES.visitors }, onError);
  const intake = openPool({ ...INTAKE_LIMITS, ...asVisitor, max: SIZES.intake }, onError);
  return {
    isDistributed,
    transaction: app.transaction,
    fairQueue: openFairQueue({ ...SHARE, patience: sharePatience }),
    connections: () => ({ team: app.state(), visitors: visitors.state(), intake: intake.state() }),
    get visitors() {
      // Drizzle calls nothing else of a pool, unless it opens a transaction.
      return drizzle({ client: { query: visitors.query } as pg.Pool });
    },
    intake: statementsOf(intake.query),
    intakeTogether: (work) => intake.transaction({}, ({ $client }) => work(statementsOf((query) => $client.query(query)))),
    rehearseIntake: (work) => intake.transaction({}, ({ $client }) => work(statementsOf((query) => $client.query(query))), 'rollback'),
    connect: async () => {
      const client = newClient({
        ...connection,
        ...LIMITS,
        ...KEEP_ALIVE,
        ...withDeadline(LIMITS),
        application_name: 'afterword live',
      });
      client.on('error', onError);
      await client.connect();
      return client;
    },
    stop: async () => {
      await Promise.all([app.end(), visitors.end(), intake.end()]);
    },
  };
}

const statementsOf =
  (query: (query: pg.QueryConfig) => Promise<pg.QueryResult>): RunStatement =>
  async <Row extends pg.QueryResultRow>(config: pg.QueryConfig) =>
    // The caller states the columns of its own statement.
    (await query(config)).rows as Row[];

/** A pool that is replaced when one of its connections stops responding, because the others use the same network path. */
interface RenewedPool {
  /** Runs `work` in a transaction, which ends with a commit unless `work` throws or `end` is different. */
  transaction<T>(settings: TransactionSettings, work: (transaction: Transaction) => Promise<T>, end?: 'commit' | 'rollback'): Promise<T>;
  /** Runs one statement in its own transaction. */
  query(query: pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult>;
  state(): PoolState;
  end(): Promise<void>;
}

interface PoolSettings extends ConnectionSettings, Pick<pg.PoolConfig, 'max' | 'application_name' | 'idleTimeoutMillis'> {
  readonly statement_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
  readonly lock_timeout: number;
  /** A role that the connections switch to. */
  readonly role?: string;
}

function openPool({ isDistributed = false, pooler, role, ...config }: PoolSettings, onError: (error: Error) => void): RenewedPool {
  const { statement_timeout, idle_in_transaction_session_timeout, lock_timeout, ...unlimited } = config;
  // Row security on a cluster's workers reads the settings of each transaction, too.
  const session = { ...(role && { role }), ...(isDistributed && { 'citus.propagate_set_commands': 'local' }) };
  const options = Object.entries(session).map(([name, value]) => `-c ${name}=${value}`);
  const poolConfig =
    pooler === undefined
      ? { Client: DatabaseClient, ...config, options: options.join(' ') }
      : { ...unlimited, Client: throughPooler(pooler) };
  // A pooler accepts no settings for a connection, and each transaction may use another one to the server.
  const always = pooler === undefined ? {} : { ...session, statement_timeout, idle_in_transaction_session_timeout, lock_timeout };
  let pool = open();
  const transaction: RenewedPool['transaction'] = (settings, work, end = 'commit') =>
    inTransaction(pool, { settings: { ...always, ...settings }, isDistributed, end }, work);
  return {
    transaction,
    query: (query, values) =>
      pooler === undefined ? pool.query(query, values) : transaction({}, ({ $client }) => $client.query(query, values)),
    state: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, most: pool.options.max }),
    end: () => pool.end(),
  };

  function open(): pg.Pool {
    const newPool = new pg.Pool({ ...poolConfig, ...KEEP_ALIVE, ...withDeadline(config) });
    // Without listeners a lost database would end the process.
    newPool.on('error', onError);
    newPool.on('connect', (client) => client.on('error', onError));
    newPool.on('release', (error) => {
      if (!isSilence(error) || newPool !== pool) return;
      onError(error);
      pool = open();
      // Statements on the other connections run to their own timeouts.
      newPool.end().catch(onError);
    });
    return newPool;
  }
}

const withDeadline = ({ statement_timeout }: { readonly statement_timeout: number }) => ({ query_timeout: statement_timeout + GRACE });

/** Returns whether the server sent nothing by a statement's deadline, not even a timeout. */
const isSilence = (error: unknown): error is Error => SILENCE_MESSAGE.test((rootCause(error) as { message?: string }).message ?? '');
const SILENCE_MESSAGE = /^Query read timeout$/;

interface TransactionOptions extends Distribution {
  readonly settings: Readonly<Record<string, string | number>>;
  readonly end: 'commit' | 'rollback';
}

async function inTransaction<T>(
  pool: pg.Pool,
  { settings, isDistributed, end }: TransactionOptions,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    for (const message of beginWith(settings, isDistributed)) await client.query(message);
    const result = await work(Object.assign(drizzle({ client }), { isDistributed }));
    await client.query(end);
    return result;
  } catch (error) {
    if (isSilence(error)) broken = error;
    else
      await client.query('rollback').catch((lost: Error) => {
        broken = lost;
      });
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Returns the messages that begin a transaction and set its row security settings: one, except for Citus, which repeats the whole message
 * of a setting on its workers. Citus commits in two phases if a transaction changes several servers, but doesn't notice changes of the
 * coordinator's own tables, unless the transaction first updates one that it manages.
 */
function beginWith(settings: TransactionOptions['settings'], isDistributed: boolean): string[] {
  const sets = Object.entries(settings).map(([name, value]) => settingOf(name, String(value)));
  return isDistributed ? [`begin; update ${TWO_PHASE} set is_on = true where not is_on`, ...sets] : [['begin', ...sets].join('; ')];
}

/** Citus repeats `set local` on its workers, where row security reads it, but not `set_config`. */
const settingOf = (name: string, value: string): string => `set local ${name} = ${pg.escapeLiteral(value)}`;

/** Runs `work` in a savepoint, which is rolled back if `work` throws or `isKept` returns false; the transaction continues. */
export async function inSavepoint<T>(
  { $client: client }: Transaction,
  work: () => Promise<T>,
  isKept: (result: T) => boolean = () => true,
): Promise<T> {
  await client.query('savepoint part');
  try {
    const result = await work();
    await client.query(isKept(result) ? 'release savepoint part' : UNDO);
    return result;
  } catch (error) {
    await client.query(UNDO);
    throw error;
  }
}

/** Savepoints of the same name can nest, so one that was rolled back is also released. */
const UNDO = 'rollback to savepoint part; release savepoint part';

/** Limits the rest of a transaction to one account. */
export async function setAccount(transaction: Transaction, accountId: string): Promise<void> {
  await transaction.$client.query(settingOf('app.account_id', accountId));
}

/** Lets the rest of a transaction see one person's own row, whatever their account. */
export async function setUser(transaction: Transaction, userId: string): Promise<void> {
  await transaction.$client.query(settingOf('app.user_id', userId));
}

/** Lets the rest of a transaction see one delivery. */
export async function setDelivery(transaction: Transaction, id: string): Promise<void> {
  await transaction.$client.query(settingOf('app.delivery_id', id));
}

/** Turns access to every account on or off for the rest of a transaction. */
export async function setOperator(transaction: Transaction, isOn: boolean): Promise<void> {
  await transaction.$client.query(settingOf('app.operator', isOn ? 'on' : 'off'));
}

const AWAY = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);
/** SQLSTATE: connection exception, operator intervention, insufficient resources (a full disk), read-only standby, I/O error. */
const AWAY_STATE = /^(?:08...|57P0[1-5]|53...|25006|58030)$/;
/** SQLSTATE: statement, lock or idle timeout, serialization failure, deadlock. */
const BUSY_STATE = /^(?:57014|55P03|25P03|40001|40P01)$/;
const AWAY_MESSAGE =
  /^Query read timeout$|Connection terminated|Client has encountered a connection error|Client was closed|not queryable|after calling end on the pool/;
const BUSY_MESSAGE = /timeout exceeded when trying to connect/;

/** Returns the refusal for a lost or busy database, with the seconds until a retry; undefined for any other error. */
export function asRefusal(error: unknown): Refusal | undefined {
  const cause = rootCause(error);
  const { code = '', message = '' } = cause as { code?: string; message?: string };
  if (AWAY.has(code) || AWAY_STATE.test(code) || AWAY_MESSAGE.test(message) || isWorkerAway(error))
    return refusal('database-away', { retryAfter: 2 });
  if (BUSY_STATE.test(code) || BUSY_MESSAGE.test(message)) return refusal('overloaded', { retryAfter: 1 });
  return undefined;
}

/** Returns whether a cluster's coordinator can't reach the worker that has the account's rows. Other accounts may not notice. */
export const isWorkerAway = (error: unknown): boolean => WORKER_AWAY_MESSAGE.test((rootCause(error) as { message?: string }).message ?? '');
const WORKER_AWAY_MESSAGE = /^connection to the remote node|^failure on connection marked as essential/;

/** Returns the driver's error, which Drizzle wraps in one that quotes the query. */
function rootCause(error: unknown): object {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? rootCause(cause) : typeof error === 'object' && error !== null ? error : {};
}

/** Returns whether a statement failed because its rows are locked. */
export const isLocked = (error: unknown): boolean => sqlState(error) === '55P03';

/** Returns whether a statement violated a unique index. */
export const isDuplicate = (error: unknown): boolean => sqlState(error) === '23505';

/** Runs `save`, and throws `taken()` if it violates a unique index. */
export async function refuseTaken<T>(save: () => Promise<T>, taken: () => Error): Promise<T> {
  try {
    return await save();
  } catch (error) {
    throw isDuplicate(error) ? taken() : error;
  }
}

/** Runs `run`, and refuses the field if the database doesn't support its time zone: Node may support others. */
export async function inKnownZone<T>(field: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw sqlState(error) === UNKNOWN_ZONE ? badField(field, ZONE_MESSAGE) : error;
  }
}

const UNKNOWN_ZONE = '22023';

/** Returns the SQLSTATE of a failed statement, or undefined. */
export const sqlState = (error: unknown): string | undefined => (rootCause(error) as { code?: string }).code;
