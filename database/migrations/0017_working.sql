CREATE TABLE "feedback_mark" (
	"account_id" text NOT NULL,
	"user_id" text NOT NULL,
	"feedback_id" text collate "C" NOT NULL,
	"unread" boolean NOT NULL,
	CONSTRAINT "feedback_mark_account_id_user_id_feedback_id_pk" PRIMARY KEY("account_id","user_id","feedback_id")
);
--> statement-breakpoint
CREATE TABLE "feedback_reader" (
	"account_id" text NOT NULL,
	"user_id" text NOT NULL,
	"read_until" text collate "C" NOT NULL,
	CONSTRAINT "feedback_reader_account_id_user_id_pk" PRIMARY KEY("account_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "tag" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"display_name" text NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tag_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
ALTER TABLE "feedback" ADD COLUMN "status" text DEFAULT 'new' NOT NULL;--> statement-breakpoint
ALTER TABLE "feedback" ADD COLUMN "status_by" text;--> statement-breakpoint
ALTER TABLE "feedback" ADD COLUMN "status_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "feedback" ADD COLUMN "assignee" text;--> statement-breakpoint
ALTER TABLE "feedback" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "feedback_mark" ADD CONSTRAINT "feedback_mark_account_id_feedback_id_feedback_account_id_id_fk" FOREIGN KEY ("account_id","feedback_id") REFERENCES "public"."feedback"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback_mark" ADD CONSTRAINT "feedback_mark_account_id_user_id_user_account_id_id_fk" FOREIGN KEY ("account_id","user_id") REFERENCES "public"."user"("account_id","id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "feedback_reader" ADD CONSTRAINT "feedback_reader_account_id_user_id_user_account_id_id_fk" FOREIGN KEY ("account_id","user_id") REFERENCES "public"."user"("account_id","id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "tag" ADD CONSTRAINT "tag_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "feedback_mark_of" ON "feedback_mark" USING btree ("account_id","feedback_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tag_name" ON "tag" USING btree ("account_id",lower("display_name"));--> statement-breakpoint
CREATE INDEX "feedback_waiting" ON "feedback" USING btree ("account_id","id") WHERE urgent and suspected is not true and status in ('new', 'open');--> statement-breakpoint
CREATE INDEX "feedback_of_status" ON "feedback" USING btree ("account_id","status","id") WHERE status <> 'new';--> statement-breakpoint
CREATE INDEX "feedback_of_assignee" ON "feedback" USING btree ("account_id","assignee","id") WHERE assignee is not null;--> statement-breakpoint
CREATE INDEX "feedback_of_tag" ON "feedback" USING gin ("tags") WHERE tags <> '{}';--> statement-breakpoint
grant select, insert, update, delete on tag, feedback_mark, feedback_reader to afterword_app;
do $$
declare name text;
begin
  foreach name in array array['tag', 'feedback_mark', 'feedback_reader'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy in_scope on %I to afterword_app using (account_id = current_setting(''app.account_id'', true))', name);
  end loop;
end $$;
