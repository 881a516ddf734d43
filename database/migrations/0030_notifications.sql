CREATE TABLE "push_device" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"user_id" text NOT NULL,
	"session" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"sealed" "bytea" NOT NULL,
	"label" text NOT NULL,
	"shows_words" boolean NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	"delivered" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	CONSTRAINT "push_device_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "notification" (
	"account_id" text NOT NULL,
	"id" text collate "C" NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"cause" text NOT NULL,
	"feedback_id" text collate "C",
	"webhook_id" text,
	"by" text,
	"count" integer,
	"created" timestamp (3) with time zone NOT NULL,
	"read" timestamp (3) with time zone,
	CONSTRAINT "notification_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "push_key" (
	"secret" text PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"sealed" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "push_device" ADD CONSTRAINT "push_device_account_id_user_id_user_account_id_id_fk" FOREIGN KEY ("account_id","user_id") REFERENCES "public"."user"("account_id","id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "notification" ADD CONSTRAINT "notification_account_id_feedback_id_feedback_account_id_id_fk" FOREIGN KEY ("account_id","feedback_id") REFERENCES "public"."feedback"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification" ADD CONSTRAINT "notification_account_id_user_id_user_account_id_id_fk" FOREIGN KEY ("account_id","user_id") REFERENCES "public"."user"("account_id","id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
CREATE UNIQUE INDEX "push_device_hash" ON "push_device" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "push_device_of_user" ON "push_device" USING btree ("account_id","user_id","created");--> statement-breakpoint
CREATE INDEX "push_device_session" ON "push_device" USING btree ("session");--> statement-breakpoint
CREATE UNIQUE INDEX "notification_cause" ON "notification" USING btree ("account_id","user_id","kind","cause");--> statement-breakpoint
CREATE INDEX "notification_of_user" ON "notification" USING btree ("account_id","user_id","created","id");--> statement-breakpoint
CREATE INDEX "notification_unread" ON "notification" USING btree ("account_id","user_id") WHERE read is null;--> statement-breakpoint
CREATE INDEX "notification_created" ON "notification" USING btree ("created");
--> statement-breakpoint
do $$
declare name text;
begin
  foreach name in array array['notification', 'push_device'] loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy in_scope on %I to afterword_app using (account_id = current_setting(''app.account_id'', true))', name);
    execute format('create policy looked_over on %I for select to afterword_app using (current_setting(''app.operator'', true) = ''on'')', name);
    execute format('create policy forgotten on %I for delete to afterword_app using (current_setting(''app.operator'', true) = ''on'')', name);
  end loop;
end $$;
-- What was told stays; only that it was read is added.
grant select, insert, delete, update (read) on notification to afterword_app;
-- A browser that somebody else signs in to is theirs from then on, whatever account it was of.
grant select, insert, delete, update (session, sealed, label, shows_words, delivered, failing_since) on push_device to afterword_app;
-- The installation's: of no account, sealed, and the same for all.
grant select, insert on push_key to afterword_app;
alter table push_key enable row level security;
create policy of_all on push_key for select to afterword_app using (true);
create policy added on push_key for insert to afterword_app with check (true);
