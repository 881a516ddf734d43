CREATE TABLE "export_part" (
	"account_id" text NOT NULL,
	"export_id" text NOT NULL,
	"number" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "export_part_account_id_export_id_number_pk" PRIMARY KEY("account_id","export_id","number")
);
--> statement-breakpoint
CREATE TABLE "export" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"user_id" text NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	"content" text NOT NULL,
	"format" text NOT NULL,
	"name" text NOT NULL,
	"query" jsonb NOT NULL,
	"contacts" boolean NOT NULL,
	"status" text NOT NULL,
	"rows" integer DEFAULT 0 NOT NULL,
	"expected" integer,
	"parts" integer DEFAULT 0 NOT NULL,
	"size" bigint DEFAULT 0 NOT NULL,
	"progress" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"failure" text,
	"touched" timestamp (3) with time zone NOT NULL,
	"link_hash" "bytea",
	"link_until" timestamp (3) with time zone,
	CONSTRAINT "export_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
ALTER TABLE "export_part" ADD CONSTRAINT "export_part_account_id_export_id_export_account_id_id_fk" FOREIGN KEY ("account_id","export_id") REFERENCES "public"."export"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export" ADD CONSTRAINT "export_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "export_touched" ON "export" USING btree ("touched");
--> statement-breakpoint
grant select, insert, delete, update (status, rows, expected, parts, size, progress, failure, touched, link_hash, link_until) on export to afterword_app;
alter table export enable row level security;
alter table export force row level security;
create policy in_scope on export to afterword_app using (account_id = current_setting('app.account_id', true));
-- The upkeep learns of every account which files are over, and removes them account by account.
create policy looked_over on export for select to afterword_app using (current_setting('app.operator', true) = 'on');
--> statement-breakpoint
grant select, insert, delete on export_part to afterword_app;
alter table export_part enable row level security;
alter table export_part force row level security;
create policy in_scope on export_part to afterword_app using (account_id = current_setting('app.account_id', true));
