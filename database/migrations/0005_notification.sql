CREATE TABLE "delivery" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text,
	"channel" text NOT NULL,
	"to" text NOT NULL,
	"subject" text NOT NULL,
	"reason" text NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"created" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "delivery_of_account" ON "delivery" USING btree ("account_id","created");--> statement-breakpoint
CREATE INDEX "delivery_created" ON "delivery" USING btree ("created");
--> statement-breakpoint
-- What was told of a mail is added once; later only what became of it changes.
grant select, insert, delete, update (status, attempts, last_error, sent_at) on delivery to afterword_app;
alter table delivery enable row level security;
alter table delivery force row level security;
create policy queued on delivery for insert to afterword_app
  with check (account_id is null or account_id = current_setting('app.account_id', true));
create policy for_admins on delivery for select to afterword_app
  using (account_id = current_setting('app.account_id', true) and exists (
    select from "user"
     where "user".account_id = delivery.account_id and "user".id = current_setting('app.user_id', true) and "user".level = 'admin'));
-- The job that sends a mail sees the one delivery that it works on.
create policy worked_on on delivery for select to afterword_app using (id = current_setting('app.delivery_id', true));
create policy marked on delivery for update to afterword_app using (id = current_setting('app.delivery_id', true));
create policy for_operators on delivery to afterword_app using (current_setting('app.operator', true) = 'on');
