CREATE TABLE "feedback_request" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"property_id" text NOT NULL,
	"email" text,
	"email_hash" "bytea" NOT NULL,
	"name" text,
	"language" text,
	"author" text NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	"visited" timestamp (3) with time zone NOT NULL,
	"status" text NOT NULL,
	"due" timestamp (3) with time zone,
	"sent" timestamp (3) with time zone,
	"reminded" timestamp (3) with time zone,
	"answered" timestamp (3) with time zone,
	"key_hash" "bytea",
	"delivery_ids" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "feedback_request_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "feedback_request_times" CHECK (least("feedback_request"."created", "feedback_request"."visited", "feedback_request"."due", "feedback_request"."sent", "feedback_request"."reminded", "feedback_request"."answered") >= '1970-01-01 00:00:00+00' and greatest("feedback_request"."created", "feedback_request"."visited", "feedback_request"."due", "feedback_request"."sent", "feedback_request"."reminded", "feedback_request"."answered") < '10000-01-01 00:00:00+00'),
	CONSTRAINT "feedback_request_lengths" CHECK (greatest(length("feedback_request"."account_id"), length("feedback_request"."id"), length("feedback_request"."property_id"), length("feedback_request"."author")) <= 4000 and greatest(length("feedback_request"."email")) <= 254 and greatest(length("feedback_request"."name")) <= 60 and pg_column_size("feedback_request"."delivery_ids") <= 1000000 and array_position("feedback_request"."delivery_ids", null) is null),
	CONSTRAINT "feedback_request_values" CHECK ("feedback_request"."language" in ('ar', 'cs', 'de', 'el', 'en', 'es', 'fa', 'fr', 'he', 'hi', 'id', 'it', 'ja', 'ko', 'nl', 'pl', 'pt', 'sv', 'th', 'tr', 'uk', 'vi', 'zh-Hans', 'zh-Hant') and "feedback_request"."status" in ('waiting', 'sent', 'answered', 'unsubscribed', 'bounced', 'complained', 'skipped'))
);
--> statement-breakpoint
CREATE TABLE "suppression" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"email_hash" "bytea" NOT NULL,
	"email" text,
	"reason" text NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "suppression_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "suppression_times" CHECK (least("suppression"."created") >= '1970-01-01 00:00:00+00' and greatest("suppression"."created") < '10000-01-01 00:00:00+00'),
	CONSTRAINT "suppression_lengths" CHECK (greatest(length("suppression"."account_id"), length("suppression"."id")) <= 4000 and greatest(length("suppression"."email")) <= 254),
	CONSTRAINT "suppression_values" CHECK ("suppression"."reason" in ('unsubscribed', 'complained', 'bounced', 'added'))
);
--> statement-breakpoint
ALTER TABLE "property" DROP CONSTRAINT "property_values";--> statement-breakpoint
ALTER TABLE "property" ADD COLUMN "requests" jsonb;--> statement-breakpoint
ALTER TABLE "feedback_request" ADD CONSTRAINT "feedback_request_account_id_property_id_property_account_id_id_fk" FOREIGN KEY ("account_id","property_id") REFERENCES "public"."property"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suppression" ADD CONSTRAINT "suppression_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "feedback_request_of_property" ON "feedback_request" USING btree ("account_id","property_id","created","id");--> statement-breakpoint
CREATE UNIQUE INDEX "feedback_request_waiting" ON "feedback_request" USING btree ("account_id","email_hash") WHERE status = 'waiting';--> statement-breakpoint
CREATE INDEX "feedback_request_of_address" ON "feedback_request" USING btree ("account_id","email_hash");--> statement-breakpoint
CREATE INDEX "feedback_request_due" ON "feedback_request" USING btree ("account_id","due") WHERE due is not null;--> statement-breakpoint
CREATE INDEX "feedback_request_sent" ON "feedback_request" USING btree ("account_id","sent") WHERE sent is not null;--> statement-breakpoint
CREATE INDEX "feedback_request_key" ON "feedback_request" USING btree ("account_id","key_hash") WHERE key_hash is not null;--> statement-breakpoint
CREATE INDEX "feedback_request_created" ON "feedback_request" USING btree ("created");--> statement-breakpoint
CREATE INDEX "feedback_request_delivery" ON "feedback_request" USING gin ("delivery_ids") WHERE delivery_ids <> '{}';--> statement-breakpoint
CREATE UNIQUE INDEX "suppression_of_address" ON "suppression" USING btree ("account_id","email_hash");--> statement-breakpoint
CREATE INDEX "suppression_created" ON "suppression" USING btree ("account_id","created","id");--> statement-breakpoint
ALTER TABLE "property" ADD CONSTRAINT "property_values" CHECK (jsonb_typeof("property"."service") = 'array' and jsonb_typeof("property"."alerts") = 'object' and "property"."retention" between 1 and 120 and jsonb_typeof("property"."requests") = 'object') NOT VALID;--> statement-breakpoint
grant select, insert, update, delete on feedback_request, suppression to afterword_app;
alter table feedback_request enable row level security;
alter table suppression enable row level security;
create policy in_scope on feedback_request to afterword_app using (account_id = current_setting('app.account_id', true));
create policy in_scope on suppression to afterword_app using (account_id = current_setting('app.account_id', true));
-- For the jobs that send and delete requests of all accounts.
create policy looked_over on feedback_request for select to afterword_app using (current_setting('app.operator', true) = 'on');
create policy forgotten on feedback_request for delete to afterword_app using (current_setting('app.operator', true) = 'on');
