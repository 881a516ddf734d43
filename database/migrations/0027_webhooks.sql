CREATE TABLE "webhook_delivery" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"webhook_id" text NOT NULL,
	"cause" text NOT NULL,
	"type" text NOT NULL,
	"event_id" bigint,
	"status" text NOT NULL,
	"due" timestamp (3) with time zone NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"attempts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_delivery_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"url" text NOT NULL,
	"description" text NOT NULL,
	"events" text[] NOT NULL,
	"property_ids" text[],
	"format" text NOT NULL,
	"is_full" boolean NOT NULL,
	"is_on" boolean NOT NULL,
	"is_gone" boolean DEFAULT false NOT NULL,
	"secret" "bytea" NOT NULL,
	"previous" "bytea",
	"previous_until" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"warned" timestamp (3) with time zone,
	"created" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	"deleted" timestamp (3) with time zone,
	"deleted_by" text,
	CONSTRAINT "webhook_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_account_id_webhook_id_webhook_account_id_id_fk" FOREIGN KEY ("account_id","webhook_id") REFERENCES "public"."webhook"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_delivery_cause" ON "webhook_delivery" USING btree ("account_id","webhook_id","cause");--> statement-breakpoint
CREATE INDEX "webhook_delivery_waiting" ON "webhook_delivery" USING btree ("account_id","webhook_id","due") WHERE status = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_delivery_newest" ON "webhook_delivery" USING btree ("account_id","webhook_id","created","id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_created" ON "webhook_delivery" USING btree ("created");
--> statement-breakpoint
grant select, insert, delete, update (url, description, events, property_ids, format, is_full, is_on, is_gone, secret, previous, previous_until, failing_since, warned, deleted, deleted_by) on webhook to afterword_app;
alter table webhook enable row level security;
alter table webhook force row level security;
create policy in_scope on webhook to afterword_app using (account_id = current_setting('app.account_id', true));
-- The courier and whoever runs the installation look at all; the upkeep removes what was deleted.
create policy looked_over on webhook for select to afterword_app using (current_setting('app.operator', true) = 'on');
create policy forgotten on webhook for delete to afterword_app using (current_setting('app.operator', true) = 'on' and deleted is not null);
--> statement-breakpoint
grant select, insert, delete, update (status, due, tries, attempts) on webhook_delivery to afterword_app;
alter table webhook_delivery enable row level security;
alter table webhook_delivery force row level security;
create policy in_scope on webhook_delivery to afterword_app using (account_id = current_setting('app.account_id', true));
create policy looked_over on webhook_delivery for select to afterword_app using (current_setting('app.operator', true) = 'on');
create policy forgotten on webhook_delivery for delete to afterword_app using (current_setting('app.operator', true) = 'on');
