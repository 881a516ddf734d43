import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import { type CheckBuilder, check, type ExtraConfigColumn, type PgColumn } from 'drizzle-orm/pg-core';

/* CHECK constraints. The contract refuses wrong input first; these also apply to a restored backup. */

/** The maximum length of a text, the minimum and maximum of a number, or the type of a JSON value. */
type Limit = number | readonly [number, number] | 'array' | 'object';

/** Maximum characters of a text without its own limit. */
const LONGEST_TEXT = 4_000;
/** Maximum bytes of a text array. */
const LARGEST_ARRAY = 1_000_000;

/**
 * Returns up to three CHECKs: times are within the contract's years, texts and arrays have a maximum length, and values are those
 * that a column's `enum` or `limits` allow. Add `not valid` to them in the migration, so that adding them reads no rows.
 */
export function valueChecks<Columns extends Record<string, ExtraConfigColumn>>(
  columns: Columns,
  limits: { readonly [Name in keyof Columns]?: Limit } = {},
): CheckBuilder[] {
  const table = Object.values<ExtraConfigColumn>(columns)[0]?.table;
  if (!table) return [];
  const limited = Object.entries<PgColumn>(getTableColumns(table)).map(([name, column]) => ({ column, limit: limits[name] }));
  const checks = { times: timesOf(limited), lengths: lengthsOf(limited), values: limited.flatMap(valuesOf) };
  return Object.entries(checks).flatMap(([kind, conditions]) =>
    conditions.length > 0 ? [check(`${getTableName(table)}_${kind}`, sql.join(conditions, sql` and `))] : [],
  );
}

interface LimitedColumn {
  readonly column: PgColumn;
  readonly limit: Limit | undefined;
}

/** PostgreSQL's `least` and `greatest` ignore nulls. */
function timesOf(limited: readonly LimitedColumn[]): SQL[] {
  const span = (type: string, first: string, end: string): SQL[] => {
    const times = limited.flatMap(({ column }) => (column.getSQLType().startsWith(type) ? [column] : []));
    const list = sql.join(times, sql`, `);
    return times.length === 0 ? [] : [sql`least(${list}) >= ${sql.raw(first)}`, sql`greatest(${list}) < ${sql.raw(end)}`];
  };
  return [...span('timestamp', `'1970-01-01 00:00:00+00'`, `'10000-01-01 00:00:00+00'`), ...span('date', `'1970-01-01'`, `'10000-01-01'`)];
}

function lengthsOf(limited: readonly LimitedColumn[]): SQL[] {
  const texts = limited.flatMap(({ column, limit = LONGEST_TEXT }) => (isText(column) && !column.enumValues ? [{ column, limit }] : []));
  const lengths = [...new Set(texts.map(({ limit }) => limit))].map((limit) => {
    const group = texts.filter((text) => text.limit === limit).map(({ column }) => sql`length(${column})`);
    return sql`greatest(${sql.join(group, sql`, `)}) <= ${sql.raw(`${limit}`)}`;
  });
  const arrays = limited.flatMap(({ column }) => (column.getSQLType() === 'text[]' ? [column] : []));
  const sizes = arrays.flatMap((column) => [
    sql`pg_column_size(${column}) <= ${sql.raw(`${LARGEST_ARRAY}`)}`,
    sql`array_position(${column}, null) is null`,
  ]);
  return [...lengths, ...sizes];
}

const isText = (column: PgColumn): boolean => /^text(?: collate .+)?$/.test(column.getSQLType());

function valuesOf({ column, limit }: LimitedColumn): SQL[] {
  if (column.enumValues) return [sql`${column} in (${sql.raw(column.enumValues.map((value) => `'${value}'`).join(', '))})`];
  if (limit === 'array' || limit === 'object') return [sql`jsonb_typeof(${column}) = ${sql.raw(`'${limit}'`)}`];
  if (limit === undefined || typeof limit === 'number') return [];
  const [least, most] = limit;
  return [sql`${column} between ${sql.raw(`${least} and ${most}`)}`];
}
