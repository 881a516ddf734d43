import { getTableColumns, type InferInsertModel, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

/**
 * Returns the rows of an insert as one parameter, which costs far less than a parameter for each value. A missing value is null, also
 * where the column has a default.
 */
export function rowsToInsert<Table extends PgTable>(table: Table, rows: readonly InferInsertModel<Table>[]): SQL {
  const columns = Object.entries(getTableColumns(table));
  const records = rows.map((row) => Object.fromEntries(columns.map(([key, { name }]) => [name, row[key as keyof typeof row]])));
  const names = sql.raw(columns.map(([, { name }]) => `"${name}"`).join(', '));
  return sql`select ${names} from json_populate_recordset(null::${table}, ${JSON.stringify(records)}::json)`;
}
