import { type SQL, sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { badField, type Refusal, refusal } from '#contract/core/errors.ts';
import { ZONE_MESSAGE } from '#contract/core/schema.ts';
import { openShares, type Shares } from '../tenancy/fair-queue.ts';
import { DatabaseClient } from './client.ts';

/** What stores talk to: one connection inside one transaction. */
export type Transaction = NodePgDatabase & { readonly $client: pg.PoolClient };

/** Part of a `where`: made by one room's store for another's statement, so that both are one look at the database. */
export type Condition = SQL;

/** How to connect: an address, or the embedded server's socket. */
export interface ConnectionSettings extends Pick<pg.ClientConfig, 'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'> {
  /** What makes each connection, where the address names several servers. */
  readonly Client?: new (
    config?: pg.ClientConfig,
  ) => pg.Client;
}

/** A connection that is not made yet. */
export const newClient = ({ Client = DatabaseClient, ...config }: ConnectionSettings & pg.ClientConfig): pg.Client => new Client(config);

/** Role that every request of a signed-in person runs as: sees one account, set for each transaction. */
export const APP_ROLE = 'afterword_app';
/** Role of the public form's path: may add feedback and count, and read what forms show; nothing else. */
export const INTAKE_ROLE = 'afterword_intake';
/** Role that looks words up: may read of every account which feedback has which words, and nothing else. */
export const FINDER_ROLE = 'afterword_finder';
/** Stores what the finder found, ids separated by spaces, for the rest of the transaction. Row security looks at no such setting. */
export const storeFoundIds = (ids: SQL): SQL => sql`set_config('afterword.found_ids', ${ids}, true)`;
/** Returns those ids as rows. */
export const FOUND_IDS = sql`select unnest(string_to_array(current_setting('afterword.found_ids'), ' '))`;

/** Reads as: the settings a transaction starts with, such as whose rows it may see. */
type TransactionSettings = Readonly<Partial<Record<'app.account_id' | 'app.user_id' | 'app.operator' | 'app.delivery_id', string>>>;

export interface Database {
  /** Runs `work` in a transaction of the app's role. Nothing of an account is visible until its scope is set. */
  transaction<T>(settings: TransactionSettings, work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Reads and writes as the public form's path may; each statement is a transaction of its own. */
  readonly visitors: NodePgDatabase;
  /** Runs one statement of the public form's path in a transaction of its own. */
  intake<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<Row[]>;
  /** Runs one statement as `intake` does, and rolls it back. */
  rehearseIntake<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<Row[]>;
  /** How each pool fares at this moment, by its name. */
  connections(): Readonly<Record<string, PoolState>>;
  /** Of the connections that signed-in people use: an account's, a network's. */
  readonly shares: Shares;
  /** A connection outside the pools, for LISTEN. The caller ends it. */
  connect(): Promise<pg.Client>;
  stop(): Promise<void>;
}

interface PoolState {
  readonly total: number;
  readonly idle: number;
  /** What waits for a connection. */
  readonly waiting: number;
  readonly most: number;
}

interface DatabaseOptions {
  readonly connection: ConnectionSettings;
  readonly onError: (error: Error) => void;
}

/** No statement, lock or idle transaction outlives these, and nobody waits longer than a second for a connection. In ms. */
const LIMITS = {
  statement_timeout: 5_000,
  idle_in_transaction_session_timeout: 5_000,
  lock_timeout: 2_000,
  connectionTimeoutMillis: 1_000,
} as const;
/** How many connections signed-in people share, visitors who open a form, and those who send. */
const SIZES = { app: 16, visitors: 2, intake: 4 };
/** A quarter of the connections is the most that one account or network holds, so that it takes many to leave the others none. */
const SHARE = { most: SIZES.app / 4, waiting: 200, patience: 2_000 };
/**
 * Visitors' pages try again by themselves; what holds their batch up must not hold it up for long. Their connections are kept,
 * and made with patience: that takes several turns of a process that may be busy.
 */
const INTAKE_LIMITS = {
  ...LIMITS,
  statement_timeout: 3_000,
  lock_timeout: 250,
  connectionTimeoutMillis: 3_000,
  idleTimeoutMillis: 0,
} as const;
/** The server ends a statement by itself. Where its word does not come either, the connection is dead. */
const GRACE = 1_000;
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

export function openDatabase({ connection, onError }: DatabaseOptions): Database {
  const app = openPool({ ...connection, ...LIMITS, max: SIZES.app, application_name: 'afterword' }, onError);
  const asVisitor = { ...connection, application_name: 'afterword intake', options: `-c role=${INTAKE_ROLE}` };
  const visitors = openPool({ ...asVisitor, ...LIMITS, max: SIZES.visitors }, onError);
  const intake = openPool({ ...asVisitor, ...INTAKE_LIMITS, max: SIZES.intake }, onError);
  return {
    transaction: (settings, work) => inTransaction(app.current(), settings, work),
    shares: openShares(SHARE),
    connections: () => ({ team: app.state(), visitors: visitors.state(), intake: intake.state() }),
    get visitors() {
      return drizzle({ client: visitors.current() });
    },
    intake: async <Row extends pg.QueryResultRow>(query: pg.QueryConfig) => (await intake.current().query<Row>(query)).rows,
    rehearseIntake: async <Row extends pg.QueryResultRow>(query: pg.QueryConfig) => {
      const client = await intake.current().connect();
      try {
        await client.query('begin');
        return (await client.query<Row>(query)).rows;
      } finally {
        await client.query('rollback').then(() => client.release(), client.release);
      }
    },
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

/** A pool, made anew when one of its connections has fallen silent: the others took the same way. */
interface RenewedPool {
  current(): pg.Pool;
  state(): PoolState;
  end(): Promise<void>;
}

function openPool(config: pg.PoolConfig & { readonly statement_timeout: number }, onError: (error: Error) => void): RenewedPool {
  let pool = open();
  return {
    current: () => pool,
    state: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, most: pool.options.max }),
    end: () => pool.end(),
  };

  function open(): pg.Pool {
    const opened = new pg.Pool({ Client: DatabaseClient, ...config, ...KEEP_ALIVE, ...withDeadline(config) });
    // Without listeners a lost database would end the process.
    opened.on('error', onError);
    opened.on('connect', (client) => client.on('error', onError));
    opened.on('release', (error) => {
      if (!isSilence(error) || opened !== pool) return;
      onError(error);
      pool = open();
      // What is under way on the others comes to its own end.
      opened.end().catch(onError);
    });
    return opened;
  }
}

const withDeadline = ({ statement_timeout }: { readonly statement_timeout: number }) => ({ query_timeout: statement_timeout + GRACE });

/** Whether a statement had no answer by its deadline, not even that it was ended. */
const isSilence = (error: unknown): error is Error => SILENCE_MESSAGE.test((rootCause(error) as { message?: string }).message ?? '');
const SILENCE_MESSAGE = /^Query read timeout$/;

async function inTransaction<T>(pool: pg.Pool, settings: TransactionSettings, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(beginWith(settings));
    const result = await work(drizzle({ client }));
    await client.query('commit');
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

/** One round trip: begins, and sets what row security looks at for this transaction only. */
function beginWith(settings: TransactionSettings): string {
  const sets = Object.entries(settings).map(([name, value]) => settingOf(name, value));
  return ['begin', ...sets].join('; ');
}

const settingOf = (name: string, value: string): string => `select set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, true)`;

/** Runs `work`; where it throws, or `isKept` says no, what it wrote is undone alone and the transaction goes on. */
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

/** Savepoints of one name may lie within each other, so an undone one is released, too. */
const UNDO = 'rollback to savepoint part; release savepoint part';

/** Narrows the rest of a transaction to one account. */
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

/** Lets the rest of a transaction look at every account, or no longer. */
export async function setOperator(transaction: Transaction, isOn: boolean): Promise<void> {
  await transaction.$client.query(settingOf('app.operator', isOn ? 'on' : 'off'));
}

const AWAY = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);
/** SQLSTATE: connection exceptions, operator intervention, too few resources (a full disk), a standby, a disk that fails. */
const AWAY_STATE = /^(?:08...|57P0[1-5]|53...|25006|58030)$/;
/** Statement, lock or idle time-out, serialization failure, deadlock. */
const BUSY_STATE = /^(?:57014|55P03|25P03|40001|40P01)$/;
const AWAY_MESSAGE =
  /^Query read timeout$|Connection terminated|Client has encountered a connection error|Client was closed|not queryable|after calling end on the pool/;
const BUSY_MESSAGE = /timeout exceeded when trying to connect/;

/** What a lost or busy database means to a caller: try again soon. Undefined for every other error. */
export function asRefusal(error: unknown): Refusal | undefined {
  const cause = rootCause(error);
  const { code = '', message = '' } = cause as { code?: string; message?: string };
  if (AWAY.has(code) || AWAY_STATE.test(code) || AWAY_MESSAGE.test(message)) return refusal('database-away', { retryAfter: 2 });
  if (BUSY_STATE.test(code) || BUSY_MESSAGE.test(message)) return refusal('overloaded', { retryAfter: 1 });
  return undefined;
}

/** Drizzle wraps the driver's error in one that quotes the query; the driver's is the one to judge by. */
function rootCause(error: unknown): object {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? rootCause(cause) : typeof error === 'object' && error !== null ? error : {};
}

/** Whether a statement gave up because others hold its rows. */
export const isLocked = (error: unknown): boolean => sqlState(error) === '55P03';

/** Whether a statement was refused because there is one already: a unique index says so. */
export const isDuplicate = (error: unknown): boolean => sqlState(error) === '23505';

/** Runs what gives something a name of its own, and throws what is said where another has that name. */
export async function named<T>(save: () => Promise<T>, taken: () => Error): Promise<T> {
  try {
    return await save();
  } catch (error) {
    throw isDuplicate(error) ? taken() : error;
  }
}

/** Runs what names a time zone, and refuses the field where the database does not know it: this runtime may know zones that it does not. */
export async function inKnownZone<T>(field: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw sqlState(error) === UNKNOWN_ZONE ? badField(field, ZONE_MESSAGE) : error;
  }
}

const UNKNOWN_ZONE = '22023';

/** The SQLSTATE of a failed statement, or undefined. */
export const sqlState = (error: unknown): string | undefined => (rootCause(error) as { code?: string }).code;
