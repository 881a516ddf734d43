-- Two roles do the product's work, and neither owns a table.
-- afterword_app: what a signed-in person asked for. Sees the account that the transaction named.
-- afterword_intake: the public form. Reads what forms show, adds feedback and counts, and nothing else.
do $$ begin
  if not exists (select from pg_roles where rolname = 'afterword_app') then
    create role afterword_app login noinherit;
  end if;
  if not exists (select from pg_roles where rolname = 'afterword_intake') then
    create role afterword_intake nologin;
  end if;
  grant afterword_intake to afterword_app;
exception when unique_violation or duplicate_object then
  null; -- another database of this server is being set up in the same moment
end $$;
--> statement-breakpoint
grant select, insert, update, delete on account, "user", property, form, feedback, feedback_tally, view to afterword_app;
--> statement-breakpoint
-- Versions are immutable: they are added and read, never changed.
grant select, insert on form_version to afterword_app;
--> statement-breakpoint
grant select (account_id, id, property_id, version, closed) on form to afterword_intake;
grant select on form_version to afterword_intake;
grant select (account_id, id, display_name) on property to afterword_intake;
grant insert, select (account_id, id, property_id, created, rating, urgent) on feedback to afterword_intake;
grant select, insert, update on feedback_tally, view to afterword_intake;
--> statement-breakpoint
-- Forced, so that not even the tables' owner looks past it. A setting that was never made is no account.
alter table account enable row level security;
alter table account force row level security;
create policy in_scope on account to afterword_app using (id = current_setting('app.account_id', true));
--> statement-breakpoint
do $$ declare name text; begin
  foreach name in array array['user', 'property', 'form', 'form_version', 'feedback', 'feedback_tally', 'view'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy in_scope on %I to afterword_app using (account_id = current_setting(''app.account_id'', true))', name);
  end loop;
end $$;
--> statement-breakpoint
-- The door reads a signed-in person's own row before it knows the account.
create policy own_row on "user" for select to afterword_app using (id = current_setting('app.user_id', true));
--> statement-breakpoint
create policy for_visitors on form for select to afterword_intake using (true);
create policy for_visitors on form_version for select to afterword_intake using (true);
create policy for_visitors on property for select to afterword_intake using (true);
create policy added_by_visitors on feedback for insert to afterword_intake with check (true);
create policy new_ids on feedback for select to afterword_intake using (true);
create policy counted_by_visitors on feedback_tally to afterword_intake using (true);
create policy counted_by_visitors on view to afterword_intake using (true);
