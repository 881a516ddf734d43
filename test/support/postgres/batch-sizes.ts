import type { TestDatabase } from './database.ts';

/** Records how many rows of a table each statement deletes or updates, and returns a function that reads these numbers in order. */
export async function recordBatchSizes(
  stored: TestDatabase['stored'],
  table: string,
  how: 'delete' | 'update' = 'delete',
): Promise<() => Promise<number[]>> {
  await stored(`create table if not exists batch_size (at bigint generated always as identity, table_name text, size bigint);
    delete from batch_size where table_name = '${table}';
    create or replace function record_batch_size() returns trigger language plpgsql security definer as $$ begin
      insert into batch_size (table_name, size) select tg_table_name, count(*) from before; return null; end $$;
    create or replace trigger record_batch_size after ${how} on ${table} referencing old table as before
      for each statement execute function record_batch_size()`);
  return async () => {
    const rows = await stored<{ size: string }>('select size from batch_size where table_name = $1 and size > 0 order by at', [table]);
    return rows.map(({ size }) => Number(size));
  };
}
