import { createHash } from 'node:crypto';
import pg from 'pg';
import { findEmbeddedPostgres } from '../../server/kernel/embedded-postgres.ts';
import type { Acknowledged, Ledger } from './ledger.ts';

export interface Findings {
  readonly acknowledged: number;
  readonly retried: number;
  readonly stored: number;
  /** How often PostgreSQL flushed its journal to disk since its statistics began. */
  readonly syncs: number;
  readonly faults: readonly string[];
}

interface Stored {
  readonly id: string;
  readonly rating: number;
  readonly key: string;
}

/** Compares what visitors were told with what is stored, in the running database. */
export async function audit(dataDir: string, { entries }: Ledger): Promise<Findings> {
  const client = new pg.Client(await findEmbeddedPostgres(dataDir));
  await client.connect();
  try {
    const { rows } = await client.query<Stored>(`select id, rating, encode(key_hash, 'hex') as key from feedback`);
    const counts = await client.query<{ counted: number; there: number }>(
      `select (select sum(count) from feedback_tally where place = '')::integer as counted, (select count(*) from feedback)::integer as there`,
    );
    const syncs = await client.query<{ fsyncs: number }>(
      `select coalesce(sum(fsyncs), 0)::integer as fsyncs from pg_stat_io where object = 'wal'`,
    );
    return {
      acknowledged: entries.size,
      retried: [...entries.values()].filter(({ attempts }) => attempts > 1).length,
      stored: rows.length,
      syncs: syncs.rows[0]?.fsyncs ?? 0,
      faults: [...lost(entries, rows), ...doubled(rows), ...miscounted(counts.rows[0]), ...unsynced(syncs.rows[0]?.fsyncs ?? 0)],
    };
  } finally {
    await client.end();
  }
}

function lost(entries: ReadonlyMap<string, Acknowledged>, rows: readonly Stored[]): string[] {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const missing: Acknowledged[] = [];
  const changed: Acknowledged[] = [];
  for (const entry of entries.values()) {
    const row = byKey.get(createHash('sha256').update(entry.key).digest('hex'));
    if (!row) missing.push(entry);
    else if (row.id !== entry.id || row.rating !== entry.rating) changed.push(entry);
  }
  return [
    ...(missing.length > 0 ? [`${missing.length} acknowledged and not stored, such as ${missing[0]?.id}`] : []),
    ...(changed.length > 0 ? [`${changed.length} stored otherwise than acknowledged, such as ${changed[0]?.id}`] : []),
  ];
}

function doubled(rows: readonly Stored[]): string[] {
  const twice = rows.length - new Set(rows.map(({ key }) => key)).size;
  return twice > 0 ? [`${twice} stored twice`] : [];
}

function miscounted(counts: { counted: number; there: number } | undefined): string[] {
  if (!counts || counts.counted === counts.there) return [];
  return [`${counts.there} stored, ${counts.counted} counted`];
}

/** A killed process leaves its writes to the system; only a flush brings them past a power cut. */
const unsynced = (fsyncs: number): string[] => (fsyncs === 0 ? ['the journal was never flushed to disk'] : []);
