CREATE TABLE "billing_event" (
	"event_id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"at" text NOT NULL,
	"received" timestamp (3) with time zone NOT NULL,
	"account_id" text,
	"outcome" text NOT NULL,
	"why" text NOT NULL,
	"body" jsonb
);
--> statement-breakpoint
CREATE TABLE "billing_notice" (
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "billing_notice_account_id_kind_pk" PRIMARY KEY("account_id","kind")
);
--> statement-breakpoint
CREATE TABLE "billing_reading" (
	"slot" smallint PRIMARY KEY NOT NULL,
	"after" text,
	"read_at" timestamp (3) with time zone,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "billing_reference" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "subscription" ADD COLUMN "heard" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "subscription" ADD COLUMN "bought" text;--> statement-breakpoint
ALTER TABLE "subscription" ADD COLUMN "checkout" jsonb;--> statement-breakpoint
ALTER TABLE "billing_notice" ADD CONSTRAINT "billing_notice_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "billing_event_open" ON "billing_event" USING btree ("received") WHERE outcome <> 'settled';--> statement-breakpoint
CREATE INDEX "billing_event_received" ON "billing_event" USING btree ("received");--> statement-breakpoint
grant select, insert on billing_reference to afterword_app;
alter table billing_reference enable row level security;
create policy in_scope on billing_reference to afterword_app using (account_id = current_setting('app.account_id', true));
create policy looked_over on billing_reference for select to afterword_app using (current_setting('app.operator', true) = 'on');
--> statement-breakpoint
-- What the provider told is of no account before it is known whose it is: only those who look at all accounts work on it.
grant select, insert, delete, update (account_id, outcome, why, body) on billing_event to afterword_app;
alter table billing_event enable row level security;
create policy of_all on billing_event to afterword_app using (current_setting('app.operator', true) = 'on');
--> statement-breakpoint
grant select, insert, update on billing_reading to afterword_app;
alter table billing_reading enable row level security;
create policy of_all on billing_reading to afterword_app using (current_setting('app.operator', true) = 'on');
--> statement-breakpoint
grant select, insert on billing_notice to afterword_app;
alter table billing_notice enable row level security;
create policy in_scope on billing_notice to afterword_app using (account_id = current_setting('app.account_id', true));
