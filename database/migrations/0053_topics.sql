CREATE TABLE "topic_match" (
	"account_id" text NOT NULL,
	"topic_id" text NOT NULL,
	"feedback_id" text collate "C" NOT NULL,
	"property_id" text NOT NULL,
	"rating" smallint NOT NULL,
	CONSTRAINT "topic_match_account_id_topic_id_feedback_id_pk" PRIMARY KEY("account_id","topic_id","feedback_id"),
	CONSTRAINT "topic_match_lengths" CHECK (greatest(length("topic_match"."account_id"), length("topic_match"."topic_id"), length("topic_match"."feedback_id"), length("topic_match"."property_id")) <= 4000),
	CONSTRAINT "topic_match_values" CHECK ("topic_match"."rating" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "topic" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"display_name" text NOT NULL,
	"phrases" text[] NOT NULL,
	"query" text NOT NULL,
	"is_hidden" boolean DEFAULT false NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	"matched" timestamp (3) with time zone,
	CONSTRAINT "topic_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "topic_times" CHECK (least("topic"."created", "topic"."matched") >= '1970-01-01 00:00:00+00' and greatest("topic"."created", "topic"."matched") < '10000-01-01 00:00:00+00'),
	CONSTRAINT "topic_lengths" CHECK (greatest(length("topic"."account_id"), length("topic"."id")) <= 4000 and greatest(length("topic"."display_name")) <= 40 and greatest(length("topic"."query")) <= 100000 and pg_column_size("topic"."phrases") <= 1000000 and array_position("topic"."phrases", null) is null)
);
--> statement-breakpoint
ALTER TABLE "topic_match" ADD CONSTRAINT "topic_match_account_id_feedback_id_feedback_account_id_id_fk" FOREIGN KEY ("account_id","feedback_id") REFERENCES "public"."feedback"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topic" ADD CONSTRAINT "topic_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "topic_match_counted" ON "topic_match" USING btree ("account_id","feedback_id","topic_id","property_id","rating");--> statement-breakpoint
CREATE UNIQUE INDEX "topic_name" ON "topic" USING btree ("account_id",lower("display_name"));--> statement-breakpoint
grant select, insert, update, delete on topic, topic_match to afterword_app;
alter table topic enable row level security;
alter table topic_match enable row level security;
create policy in_scope on topic to afterword_app using (account_id = current_setting('app.account_id', true));
create policy in_scope on topic_match to afterword_app using (account_id = current_setting('app.account_id', true));
-- For the relay, which asks which accounts have topics.
create policy looked_over on topic for select to afterword_app using (current_setting('app.operator', true) = 'on');
