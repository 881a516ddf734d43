import pg from 'pg';

/** A connection to the database on which a commit counts only where it reached everyone that it must reach. */
export class DatabaseClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // Without a listener a lost connection would end the process.
    this.on('error', () => undefined);
    this.on('notice', ({ routine }) => {
      if (routine === WAIT_FOR_STANDBY) this.abort(new UnreplicatedError());
    });
  }

  /** Ends the connection at once; the statement under way fails with this error, whatever the server still says of it. */
  protected abort(error: Error): void {
    this.connection.emit('error', error);
    this.connection.stream.destroy();
  }
}

/** The server's own function that waits for synchronous standbys. It speaks up only where it gives up. */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN';

/**
 * With synchronous replication a commit waits for the standby. Whoever cancels that wait makes the server report success with
 * a warning: the row is on its own disk only, and a fail-over would lose it.
 */
class UnreplicatedError extends Error {
  /** SQLSTATE: the outcome of the transaction is not known. */
  readonly code = '08007';

  constructor() {
    super('The commit was not confirmed by a standby');
  }
}
