CREATE TABLE "submission_budget" (
	"key" "bytea" NOT NULL,
	"quarter" timestamp (0) with time zone NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "submission_budget_key_quarter_pk" PRIMARY KEY("key","quarter")
);
--> statement-breakpoint
DROP INDEX "feedback_of_property";--> statement-breakpoint
DROP INDEX "feedback_of_rating";--> statement-breakpoint
DROP INDEX "feedback_urgent";--> statement-breakpoint
ALTER TABLE "feedback" ADD COLUMN "suspected" boolean;--> statement-breakpoint
ALTER TABLE "feedback_tally" ADD COLUMN "suspected" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "feedback_counted" ON "feedback" USING btree ("account_id","id") WHERE suspected is not true;--> statement-breakpoint
CREATE INDEX "feedback_suspected" ON "feedback" USING btree ("account_id","id") WHERE suspected;--> statement-breakpoint
CREATE INDEX "feedback_of_property" ON "feedback" USING btree ("account_id","property_id","id") WHERE suspected is not true;--> statement-breakpoint
CREATE INDEX "feedback_of_rating" ON "feedback" USING btree ("account_id","rating","id") WHERE suspected is not true;--> statement-breakpoint
CREATE INDEX "feedback_urgent" ON "feedback" USING btree ("account_id","id") WHERE urgent and suspected is not true;--> statement-breakpoint
-- Of no account: counts by the hash of a form and a network. Without a journal: a crash may lose them.
alter table submission_budget set unlogged;
grant select, insert, update on submission_budget to afterword_intake;
grant select, delete on submission_budget to afterword_app;
grant select (suspected) on feedback to afterword_intake;
alter table submission_budget enable row level security;
alter table submission_budget force row level security;
create policy of_visitors on submission_budget to afterword_intake using (true) with check (true);
create policy of_processes on submission_budget to afterword_app using (true);
drop policy told_by_visitors on event;
create policy told_by_visitors on event for insert to afterword_intake
  with check (actor = 'visitor' and name in ('feedback.submitted', 'feedback.urgent', 'feedback.suspected'));
