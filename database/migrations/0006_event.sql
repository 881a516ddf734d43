CREATE TABLE "event" (
	"account_id" text NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"name" text NOT NULL,
	"subject" text NOT NULL,
	"actor" text NOT NULL,
	"data" jsonb NOT NULL,
	"relayed" boolean NOT NULL,
	CONSTRAINT "event_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE INDEX "event_waiting" ON "event" USING btree ("id") WHERE not relayed;--> statement-breakpoint
CREATE INDEX "event_of_subject" ON "event" USING btree ("account_id","subject","id") WHERE name not in ('feedback.submitted', 'feedback.urgent');
--> statement-breakpoint
-- Events are added and read. Only the mark of the relay changes; an account's rows are forgotten when it is deleted.
grant select, insert, delete, update (relayed) on event to afterword_app;
grant insert, select (id, name, subject) on event to afterword_intake;
alter table event enable row level security;
alter table event force row level security;
create policy in_scope on event for select to afterword_app using (account_id = current_setting('app.account_id', true));
create policy added on event for insert to afterword_app with check (
  account_id = current_setting('app.account_id', true)
  or (account_id = 'INSTALLATION' and current_setting('app.operator', true) = 'on'));
create policy relayed on event for update to afterword_app using (
  account_id = current_setting('app.account_id', true) or current_setting('app.operator', true) = 'on');
create policy for_operators on event for select to afterword_app using (current_setting('app.operator', true) = 'on');
create policy told_by_visitors on event for insert to afterword_intake with check (actor = 'visitor' and name in ('feedback.submitted', 'feedback.urgent'));
create policy new_ids on event for select to afterword_intake using (true);
create policy forgotten on event for delete to afterword_app using (
  current_setting('app.operator', true) = 'on'
  and (account_id = 'INSTALLATION' or exists (select from account where account.id = event.account_id and account.deleted is not null)));
--> statement-breakpoint
-- What operators did stays, whoever asks.
create function keep_installation_events() returns trigger language plpgsql as $$ begin
  raise exception 'permission denied: what operators did stays in the record' using errcode = '42501';
end $$;
create trigger keep_installation_events before delete on event
  for each row when (old.account_id = 'INSTALLATION') execute function keep_installation_events();
