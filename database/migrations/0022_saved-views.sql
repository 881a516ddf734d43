CREATE TABLE "saved_view" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"display_name" text NOT NULL,
	"is_shared" boolean NOT NULL,
	"shows" jsonb NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	"deleted" timestamp (3) with time zone,
	"deleted_by" text,
	CONSTRAINT "saved_view_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "saved_view_name" ON "saved_view" USING btree ("account_id","created_by",lower("display_name")) WHERE deleted is null;
--> statement-breakpoint
grant select, insert, delete, update (display_name, is_shared, shows, deleted, deleted_by) on saved_view to afterword_app;
alter table saved_view enable row level security;
alter table saved_view force row level security;
create policy in_scope on saved_view to afterword_app using (account_id = current_setting('app.account_id', true));
