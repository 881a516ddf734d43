import type pg from 'pg';

/** Rows and index entries, or pages. */
type ReadUnit = 'tuples_returned' | 'blocks_fetched';

/**
 * Returns how much a connection has read of a table and its indexes. Other processes, such as autovacuum, don't count. Earlier
 * transactions of the connection may, so compare two moments of one transaction.
 */
export async function readsOf(client: Pick<pg.Client, 'query'>, table: string, unit: ReadUnit): Promise<number> {
  const { rows } = await client.query<{ read: number }>(
    `select sum(pg_stat_get_xact_${unit}(oid))::integer as read from pg_class
      where oid = $1::regclass or oid in (select indexrelid from pg_index where indrelid = $1::regclass)`,
    [table],
  );
  return rows[0]?.read ?? Number.NaN;
}
