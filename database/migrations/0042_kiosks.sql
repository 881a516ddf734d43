CREATE TABLE "kiosk" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"property_id" text NOT NULL,
	"hours" jsonb NOT NULL,
	"thanks" text,
	"repeat_within" smallint NOT NULL,
	"pin_hash" "bytea" NOT NULL,
	"code_hash" "bytea",
	"code_until" timestamp (3) with time zone,
	"token_hash" "bytea",
	"paired" timestamp (3) with time zone,
	"seen" timestamp (3) with time zone,
	"waiting" integer,
	"version" text,
	"silent" timestamp (3) with time zone,
	CONSTRAINT "kiosk_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "kiosk_times" CHECK (least("kiosk"."code_until", "kiosk"."paired", "kiosk"."seen", "kiosk"."silent") >= '1970-01-01 00:00:00+00' and greatest("kiosk"."code_until", "kiosk"."paired", "kiosk"."seen", "kiosk"."silent") < '10000-01-01 00:00:00+00'),
	CONSTRAINT "kiosk_lengths" CHECK (greatest(length("kiosk"."account_id"), length("kiosk"."id"), length("kiosk"."property_id"), length("kiosk"."thanks"), length("kiosk"."version")) <= 4000),
	CONSTRAINT "kiosk_values" CHECK (jsonb_typeof("kiosk"."hours") = 'array' and "kiosk"."repeat_within" between 0 and 60)
);
--> statement-breakpoint
ALTER TABLE "notification" DROP CONSTRAINT "notification_lengths";--> statement-breakpoint
ALTER TABLE "notification" DROP CONSTRAINT "notification_values";--> statement-breakpoint
ALTER TABLE "notification" ADD COLUMN "kiosk_id" text;--> statement-breakpoint
ALTER TABLE "kiosk" ADD CONSTRAINT "kiosk_account_id_property_id_id_tool_account_id_property_id_id_fk" FOREIGN KEY ("account_id","property_id","id") REFERENCES "public"."tool"("account_id","property_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "kiosk_code" ON "kiosk" USING btree ("code_hash") WHERE code_hash is not null;--> statement-breakpoint
CREATE INDEX "kiosk_seen" ON "kiosk" USING btree ("seen") WHERE token_hash is not null and silent is null;--> statement-breakpoint
ALTER TABLE "notification" ADD CONSTRAINT "notification_lengths" CHECK (greatest(length("notification"."account_id"), length("notification"."id"), length("notification"."user_id"), length("notification"."cause"), length("notification"."feedback_id"), length("notification"."webhook_id"), length("notification"."kiosk_id"), length("notification"."by")) <= 4000) NOT VALID;--> statement-breakpoint
ALTER TABLE "notification" ADD CONSTRAINT "notification_values" CHECK ("notification"."kind" in ('urgent', 'contact', 'unopened', 'mention', 'assigned', 'webhook', 'kiosk')) NOT VALID;--> statement-breakpoint
grant select, insert, update, delete on kiosk to afterword_app;
alter table kiosk enable row level security;
create policy in_scope on kiosk to afterword_app using (account_id = current_setting('app.account_id', true));
-- For pairing codes, which name no account, and for the job that looks for silent kiosks.
create policy looked_over on kiosk for select to afterword_app using (current_setting('app.operator', true) = 'on');
