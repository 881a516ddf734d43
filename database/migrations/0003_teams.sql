CREATE TABLE "audit_entry" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_entry_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"by" text NOT NULL,
	"act" text NOT NULL,
	"subject" text NOT NULL,
	"detail" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "deleted" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "invited" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- The door reads whether a signed-in person's account still stands before it knows the account.
create policy own_account on account for select to afterword_app
  using (id in (select account_id from "user" where "user".id = current_setting('app.user_id', true)));
-- Whoever accepts an invitation notes it in their own row.
create policy own_row_joined on "user" for update to afterword_app using (id = current_setting('app.user_id', true));
--> statement-breakpoint
-- A deleted account's forms are closed.
grant select (id, deleted) on account to afterword_intake;
create policy for_visitors on account for select to afterword_intake using (true);
--> statement-breakpoint
-- Operators look at every account, and at what operators did. Entries are added, never changed.
create policy for_operators on account to afterword_app using (current_setting('app.operator', true) = 'on');
create policy for_operators on "user" for select to afterword_app using (current_setting('app.operator', true) = 'on');
create policy for_operators on property for select to afterword_app using (current_setting('app.operator', true) = 'on');
grant select, insert on audit_entry to afterword_app;
alter table audit_entry enable row level security;
alter table audit_entry force row level security;
create policy for_operators on audit_entry to afterword_app using (current_setting('app.operator', true) = 'on');
