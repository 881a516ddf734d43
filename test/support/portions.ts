import type { TestDatabase } from './database.ts';

/** Records how many rows of a table each statement deletes or updates, and returns a function that reads these numbers in order. */
export async function notePortions(
  stored: TestDatabase['stored'],
  table: string,
  how: 'delete' | 'update' = 'delete',
): Promise<() => Promise<number[]>> {
  await stored(`create table if not exists done_at_once (at bigint generated always as identity, whose text, many bigint);
    delete from done_at_once where whose = '${table}';
    create or replace function note_portion() returns trigger language plpgsql security definer as $$ begin
      insert into done_at_once (whose, many) select tg_table_name, count(*) from before; return null; end $$;
    create or replace trigger note_portion after ${how} on ${table} referencing old table as before for each statement execute function note_portion()`);
  return async () => {
    const rows = await stored<{ many: string }>('select many from done_at_once where whose = $1 and many > 0 order by at', [table]);
    return rows.map(({ many }) => Number(many));
  };
}
