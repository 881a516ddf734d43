import type { TestDatabase } from './database.ts';

/** Notes how many rows each statement deletes of a table from now on; gives what asks for these numbers, in their order. */
export async function notePortions(stored: TestDatabase['stored'], table: string): Promise<() => Promise<number[]>> {
  await stored(`create table if not exists deleted_at_once (at bigint generated always as identity, whose text, many bigint);
    delete from deleted_at_once where whose = '${table}';
    create or replace function note_deleted() returns trigger language plpgsql security definer as $$ begin
      insert into deleted_at_once (whose, many) select tg_table_name, count(*) from gone; return null; end $$;
    create or replace trigger note_deleted after delete on ${table} referencing old table as gone for each statement execute function note_deleted()`);
  return async () => {
    const rows = await stored<{ many: string }>('select many from deleted_at_once where whose = $1 and many > 0 order by at', [table]);
    return rows.map(({ many }) => Number(many));
  };
}
