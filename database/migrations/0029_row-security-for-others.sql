-- Enabled for whoever works on the tables; their owner, as whom nothing works, reads them whole: for backups, `pg_dump` among
-- them (docs/decisions/0034-backups.md).
do $$ declare name text; begin
  for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity loop
    execute format('alter table %I no force row level security', name);
  end loop;
end $$;
