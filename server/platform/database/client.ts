import pg from 'pg';
import { serverOf } from './url.ts';

/** A database connection that fails a commit which the synchronous standby did not confirm. */
export class DatabaseClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // Without a listener a lost connection would end the process.
    this.on('error', () => undefined);
    this.on('notice', ({ routine }) => {
      if (routine === WAIT_FOR_STANDBY) this.abort(new UnreplicatedError());
    });
  }

  /** Ends the connection at once and fails the running statement with this error, whatever the server returns for it. */
  protected abort(error: Error): void {
    this.connection.emit('error', error);
    this.connection.stream.destroy();
  }
}

/**
 * Returns the class of connections through a pooler, for settings that name the server behind it. Each transaction may run on another
 * connection to the server, so no statement is prepared by name.
 */
export const throughPooler = (pooler: string) =>
  class extends DatabaseClient {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      Object.assign(this, serverOf(pooler));
    }

    // biome-ignore lint/suspicious/noExplicitAny: stands for the driver's ten signatures
    override query(config: any, ...rest: any[]): any {
      return super.query(typeof config === 'string' ? config : { ...config, name: undefined }, ...rest);
    }
  };

/** PostgreSQL's function that waits for synchronous standbys. It sends a notice only when the wait is canceled. */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN';

/**
 * With synchronous replication a commit waits for the standby. If that wait is canceled, the server reports success with a
 * warning although only its own disk has the row, and a failover would lose it.
 */
class UnreplicatedError extends Error {
  /** SQLSTATE: the outcome of the transaction is not known. */
  readonly code = '08007';

  constructor() {
    super('The commit was not confirmed by a standby');
  }
}
