import type { Database } from './database/database.ts';

/** Metrics that are read together for `/metrics`. */
export interface MetricGroup {
  /** Descriptions by metric name. */
  readonly help: Readonly<Record<string, string>>;
  /** Label names of the metrics that have labels. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  read(): Promise<Readonly<Record<string, number | readonly LabelledNumber[]>>>;
}

interface LabelledNumber {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Returns metrics of this process's database connections. */
export const connectionMetrics = ({ connections, fairQueue }: Pick<Database, 'connections' | 'fairQueue'>) =>
  ({
    help: {
      afterword_database_connections: 'Database connections of this process, by pool and state (idle or busy).',
      afterword_database_connections_most: 'Maximum connections of a pool.',
      afterword_database_waiting: 'Requests in this process waiting for a connection, by pool.',
      afterword_shares_waiting: 'Requests in this process waiting because their account or network uses its full share of connections.',
    },
    labels: {
      afterword_database_connections: ['pool', 'state'],
      afterword_database_connections_most: ['pool'],
      afterword_database_waiting: ['pool'],
    },
    async read() {
      const pools = Object.entries(connections());
      return {
        afterword_database_connections: pools.flatMap(([pool, { total, idle }]) => [
          { labels: { pool, state: 'idle' }, value: idle },
          { labels: { pool, state: 'busy' }, value: total - idle },
        ]),
        afterword_database_connections_most: pools.map(([pool, { most }]) => ({ labels: { pool }, value: most })),
        afterword_database_waiting: pools.map(([pool, { waiting }]) => ({ labels: { pool }, value: waiting })),
        afterword_shares_waiting: fairQueue.waiting(),
      };
    },
  }) satisfies MetricGroup;
