-- Words as they are searched (docs/rules.md#search): without case, accents and punctuation; each Chinese and Japanese sign a word.
create function folded(said text) returns text language sql immutable parallel safe
return regexp_replace(
  regexp_replace(
    lower(regexp_replace(normalize(said, NFKD), '[\u0300-\u036f]', '', 'g')),
    '[!-/:-@\[-`{-~\u00a1-\u00bf\u2000-\u206f\u05be\u05f3\u05f4\u060c\u061b\u061f\u06d4\u0964\u0965\u3000-\u303f\uff01-\uff0f]', ' ', 'g'),
  '([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])', ' \1 ', 'g');
--> statement-breakpoint
-- The account is a word, too, so that one account's search does not read the words of others.
create function searched(account text, said text) returns tsvector language sql immutable parallel safe
return case when said is null then null else to_tsvector('simple', folded(said)) || array_to_tsvector(array['@' || account]) end;
--> statement-breakpoint
create index feedback_words on feedback using gin (searched(account_id, text)) where text is not null;
--> statement-breakpoint
-- Row security lets no index answer a question whose operator might leak, so words are looked up by a role of their own: which
-- feedback of an account has which words. What it finds is read under row security.
do $$ begin
  if not exists (select from pg_roles where rolname = 'afterword_finder') then
    create role afterword_finder nologin;
  end if;
  if not pg_has_role('afterword_app', 'afterword_finder', 'member') then
    grant afterword_finder to afterword_app;
  end if;
exception when unique_violation or duplicate_object then
  null; -- another database of this server is being set up in the same moment
end $$;
--> statement-breakpoint
grant select (account_id, id, text) on feedback to afterword_finder;
create policy found_by_words on feedback for select to afterword_finder using (true);
