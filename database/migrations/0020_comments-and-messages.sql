CREATE TABLE "comment" (
	"account_id" text NOT NULL,
	"id" text collate "C" NOT NULL,
	"feedback_id" text collate "C" NOT NULL,
	"property_id" text NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	"text" text NOT NULL,
	"edited" timestamp (3) with time zone,
	"mentioned" text[] NOT NULL,
	"key" text NOT NULL,
	"deleted" timestamp (3) with time zone,
	"deleted_by" text,
	CONSTRAINT "comment_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "message" (
	"account_id" text NOT NULL,
	"id" text collate "C" NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"url" text NOT NULL,
	"user_agent" text NOT NULL,
	"may_reply" boolean NOT NULL,
	"screenshot" text,
	"handled" timestamp (3) with time zone,
	"key" text NOT NULL,
	CONSTRAINT "message_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
ALTER TABLE "comment" ADD CONSTRAINT "comment_account_id_feedback_id_feedback_account_id_id_fk" FOREIGN KEY ("account_id","feedback_id") REFERENCES "public"."feedback"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message" ADD CONSTRAINT "message_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "comment_key" ON "comment" USING btree ("account_id","created_by","key");--> statement-breakpoint
CREATE INDEX "comment_of_feedback" ON "comment" USING btree ("account_id","feedback_id","created","id");--> statement-breakpoint
CREATE INDEX "comment_deleted" ON "comment" USING btree ("deleted") WHERE deleted is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "message_key" ON "message" USING btree ("account_id","created_by","key");--> statement-breakpoint
CREATE INDEX "message_created" ON "message" USING btree ("created","id");
--> statement-breakpoint
grant select, insert, delete, update (text, edited, mentioned, deleted, deleted_by) on comment to afterword_app;
alter table comment enable row level security;
alter table comment force row level security;
create policy in_scope on comment to afterword_app using (account_id = current_setting('app.account_id', true));
-- The upkeep sees what was deleted, and nothing that stands.
create policy looked_over on comment for select to afterword_app using (current_setting('app.operator', true) = 'on' and deleted is not null);
create policy forgotten on comment for delete to afterword_app using (current_setting('app.operator', true) = 'on' and deleted is not null);
--> statement-breakpoint
-- A team adds what it says and finds it again; operators read it, and mark it as handled.
grant select, insert, update (handled) on message to afterword_app;
alter table message enable row level security;
alter table message force row level security;
create policy added on message for insert to afterword_app with check (account_id = current_setting('app.account_id', true));
create policy in_scope on message for select to afterword_app using (account_id = current_setting('app.account_id', true));
create policy for_operators on message for select to afterword_app using (current_setting('app.operator', true) = 'on');
create policy handled on message for update to afterword_app using (current_setting('app.operator', true) = 'on');
