CREATE TABLE "tool" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"property_id" text NOT NULL,
	"form_id" text NOT NULL,
	"tool_type" text NOT NULL,
	"display_name" text NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	"author" text NOT NULL,
	"deleted" timestamp (3) with time zone,
	CONSTRAINT "tool_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "tool_of_property" UNIQUE("account_id","property_id","id")
);
--> statement-breakpoint
DROP INDEX "feedback_waiting";--> statement-breakpoint
ALTER TABLE "feedback" ADD COLUMN "tool_id" text;--> statement-breakpoint
ALTER TABLE "feedback" ADD COLUMN "test" boolean;--> statement-breakpoint
ALTER TABLE "tool" ADD CONSTRAINT "tool_account_id_property_id_form_id_form_account_id_property_id_id_fk" FOREIGN KEY ("account_id","property_id","form_id") REFERENCES "public"."form"("account_id","property_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "tool_name" ON "tool" USING btree ("account_id","property_id",lower("display_name")) WHERE deleted is null;--> statement-breakpoint
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_account_id_property_id_tool_id_tool_account_id_property_id_id_fk" FOREIGN KEY ("account_id","property_id","tool_id") REFERENCES "public"."tool"("account_id","property_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "feedback_of_tool" ON "feedback" USING btree ("account_id","tool_id","id") WHERE tool_id is not null and suspected is not true;--> statement-breakpoint
CREATE INDEX "feedback_waiting" ON "feedback" USING btree ("account_id","id") WHERE urgent and suspected is not true and test is not true and status in ('new', 'open');
--> statement-breakpoint
grant select, insert, update, delete on tool to afterword_app;
-- The public form learns which placements stand, and of whom, and nothing else of them.
grant select (account_id, id, property_id, deleted) on tool to afterword_intake;
grant select (tool_id, test) on feedback to afterword_intake;
--> statement-breakpoint
alter table tool enable row level security;
alter table tool force row level security;
create policy in_scope on tool to afterword_app using (account_id = current_setting('app.account_id', true));
create policy for_visitors on tool for select to afterword_intake using (true);
