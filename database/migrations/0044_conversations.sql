CREATE TABLE "conversation_key" (
	"account_id" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"feedback_id" text collate "C" NOT NULL,
	CONSTRAINT "conversation_key_account_id_hash_pk" PRIMARY KEY("account_id","hash"),
	CONSTRAINT "conversation_key_lengths" CHECK (greatest(length("conversation_key"."account_id"), length("conversation_key"."feedback_id")) <= 4000)
);
--> statement-breakpoint
CREATE TABLE "conversation_message" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"feedback_id" text collate "C" NOT NULL,
	"author" text,
	"text" text NOT NULL,
	"sent" timestamp (3) with time zone NOT NULL,
	"key" text NOT NULL,
	"delivery_id" text,
	CONSTRAINT "conversation_message_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "conversation_message_times" CHECK (least("conversation_message"."sent") >= '1970-01-01 00:00:00+00' and greatest("conversation_message"."sent") < '10000-01-01 00:00:00+00'),
	CONSTRAINT "conversation_message_lengths" CHECK (greatest(length("conversation_message"."account_id"), length("conversation_message"."id"), length("conversation_message"."feedback_id"), length("conversation_message"."author"), length("conversation_message"."key"), length("conversation_message"."delivery_id")) <= 4000 and greatest(length("conversation_message"."text")) <= 2000)
);
--> statement-breakpoint
CREATE TABLE "conversation" (
	"account_id" text NOT NULL,
	"feedback_id" text collate "C" NOT NULL,
	"active" timestamp (3) with time zone NOT NULL,
	"seen" timestamp (3) with time zone,
	"closed" timestamp (3) with time zone,
	"closed_by" text,
	"reported" timestamp (3) with time zone,
	CONSTRAINT "conversation_account_id_feedback_id_pk" PRIMARY KEY("account_id","feedback_id"),
	CONSTRAINT "conversation_times" CHECK (least("conversation"."active", "conversation"."seen", "conversation"."closed", "conversation"."reported") >= '1970-01-01 00:00:00+00' and greatest("conversation"."active", "conversation"."seen", "conversation"."closed", "conversation"."reported") < '10000-01-01 00:00:00+00'),
	CONSTRAINT "conversation_lengths" CHECK (greatest(length("conversation"."account_id"), length("conversation"."feedback_id"), length("conversation"."closed_by")) <= 4000)
);
--> statement-breakpoint
ALTER TABLE "export" DROP CONSTRAINT "export_values";--> statement-breakpoint
ALTER TABLE "feedback" DROP CONSTRAINT "feedback_values";--> statement-breakpoint
ALTER TABLE "alert" DROP CONSTRAINT "alert_lengths";--> statement-breakpoint
ALTER TABLE "notification" DROP CONSTRAINT "notification_values";--> statement-breakpoint
ALTER TABLE "webhook_delivery" DROP CONSTRAINT "webhook_delivery_values";--> statement-breakpoint
ALTER TABLE "feedback" ADD COLUMN "reply" text;--> statement-breakpoint
ALTER TABLE "alert" ADD COLUMN "message_id" text;--> statement-breakpoint
ALTER TABLE "conversation_key" ADD CONSTRAINT "conversation_key_conversation_fk" FOREIGN KEY ("account_id","feedback_id") REFERENCES "public"."conversation"("account_id","feedback_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_message" ADD CONSTRAINT "conversation_message_conversation_fk" FOREIGN KEY ("account_id","feedback_id") REFERENCES "public"."conversation"("account_id","feedback_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation" ADD CONSTRAINT "conversation_account_id_feedback_id_feedback_account_id_id_fk" FOREIGN KEY ("account_id","feedback_id") REFERENCES "public"."feedback"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversation_key_of" ON "conversation_key" USING btree ("account_id","feedback_id");--> statement-breakpoint
CREATE UNIQUE INDEX "conversation_message_key" ON "conversation_message" USING btree ("account_id","feedback_id","key");--> statement-breakpoint
CREATE INDEX "conversation_message_of" ON "conversation_message" USING btree ("account_id","feedback_id","sent","id");--> statement-breakpoint
ALTER TABLE "export" ADD CONSTRAINT "export_values" CHECK ("export"."content" in ('feedback', 'account') and "export"."format" in ('csv', 'xlsx', 'zip') and jsonb_typeof("export"."query") = 'object' and "export"."status" in ('waiting', 'running', 'done', 'failed', 'deleted') and jsonb_typeof("export"."progress") = 'object' and "export"."failure" in ('too-many-rows', 'too-large', 'not-allowed', 'erased', 'broken')) NOT VALID;--> statement-breakpoint
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_values" CHECK ("feedback"."rating" between 1 and 5 and "feedback"."kind" in ('regular', 'complaint', 'contact me') and "feedback"."source" in ('open text', 'Google', 'Yelp', 'Trustpilot', 'other service', 'none') and jsonb_typeof("feedback"."responses") = 'array' and "feedback"."status" in ('new', 'open', 'waiting', 'done') and "feedback"."language" in ('ar', 'cs', 'de', 'el', 'en', 'es', 'fa', 'fr', 'he', 'hi', 'id', 'it', 'ja', 'ko', 'nl', 'pl', 'pt', 'sv', 'th', 'tr', 'uk', 'vi', 'zh-Hans', 'zh-Hant') and "feedback"."reply" in ('asked', 'received', 'sent')) NOT VALID;--> statement-breakpoint
ALTER TABLE "alert" ADD CONSTRAINT "alert_lengths" CHECK (greatest(length("alert"."account_id"), length("alert"."feedback_id"), length("alert"."user_id"), length("alert"."property_id"), length("alert"."message_id"), length("alert"."delivery_id"), length("alert"."decision")) <= 4000) NOT VALID;--> statement-breakpoint
ALTER TABLE "notification" ADD CONSTRAINT "notification_values" CHECK ("notification"."kind" in ('urgent', 'contact', 'unopened', 'message', 'mention', 'assigned', 'webhook', 'reported', 'kiosk')) NOT VALID;--> statement-breakpoint
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_values" CHECK ("webhook_delivery"."type" in ('feedback.created', 'feedback.amended', 'feedback.urgent', 'feedback.erased', 'comment.created', 'webhook.test') and "webhook_delivery"."status" in ('waiting', 'delivered', 'failed') and jsonb_typeof("webhook_delivery"."attempts") = 'array') NOT VALID;--> statement-breakpoint
grant select, insert, update, delete on conversation, conversation_key, conversation_message to afterword_app;
alter table conversation enable row level security;
alter table conversation_key enable row level security;
alter table conversation_message enable row level security;
create policy in_scope on conversation to afterword_app using (account_id = current_setting('app.account_id', true));
create policy in_scope on conversation_key to afterword_app using (account_id = current_setting('app.account_id', true));
create policy in_scope on conversation_message to afterword_app using (account_id = current_setting('app.account_id', true));
-- The mails to a visitor have their address.
create policy erased on delivery for delete to afterword_app
  using (id = current_setting('app.delivery_id', true) and account_id = current_setting('app.account_id', true));
