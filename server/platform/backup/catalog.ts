import pg from 'pg';

/** A table whose rows are in backups. */
export interface StoredTable {
  readonly schema: string;
  readonly name: string;
  /** The non-generated columns, in order. */
  readonly columns: string[];
}

/** Returns the table's name in a backup. */
export const nameOf = ({ schema, name }: StoredTable): string => `${schema}.${name}`;

/** Returns the table's name quoted for SQL. */
export const sqlOf = ({ schema, name }: StoredTable): string => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;

export const columnsOf = ({ columns }: StoredTable): string => columns.map((column) => pg.escapeIdentifier(column)).join(', ');

/** Returns every table of the product, and the jobs table. The rest of the queue's schema is created again on restore. */
export async function tablesOf(client: pg.Client): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(`
    select nspname as schema, relname as name, array_agg(attname::text order by attnum) as columns
      from pg_class
      join pg_namespace on pg_namespace.oid = relnamespace
      join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
     where relkind in ('r', 'p') and not relispartition
       and (nspname = 'public' or (nspname = 'pgboss' and relname = 'job'))
     group by 1, 2
     order by 1, 2`);
  return rows;
}

/** Returns the last number of each sequence, 64 bits as text; null before its first number. */
export async function sequencesOf(client: pg.Client): Promise<Record<string, string | null>> {
  const { rows } = await client.query<{ name: string; last: string | null }>(
    `select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public'`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

/** A column with numbers from a sequence; all but `name` are quoted for SQL. */
export interface SequenceColumn {
  /** The sequence's name in a backup. */
  readonly name: string;
  readonly sequence: string;
  readonly table: string;
  readonly column: string;
}

export async function sequenceColumnsOf(client: pg.Client): Promise<SequenceColumn[]> {
  const { rows } = await client.query<SequenceColumn>(`
    select relname as name, pg_class.oid::regclass::text as sequence, refobjid::regclass::text as table, quote_ident(attname) as column
      from pg_class
      join pg_depend on classid = 'pg_class'::regclass and objid = pg_class.oid and refclassid = 'pg_class'::regclass
      join pg_attribute on attrelid = refobjid and attnum = refobjsubid
     where relkind = 'S' and relnamespace = 'public'::regnamespace and deptype in ('a', 'i')`);
  return rows;
}
