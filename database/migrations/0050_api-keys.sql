CREATE TABLE "api_key" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"display_name" text NOT NULL,
	"scopes" text[] NOT NULL,
	"ending" text NOT NULL,
	"author" text NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	"expires" timestamp (3) with time zone,
	"last_used" timestamp (3) with time zone,
	CONSTRAINT "api_key_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "api_key_times" CHECK (least("api_key"."created", "api_key"."expires", "api_key"."last_used") >= '1970-01-01 00:00:00+00' and greatest("api_key"."created", "api_key"."expires", "api_key"."last_used") < '10000-01-01 00:00:00+00'),
	CONSTRAINT "api_key_lengths" CHECK (greatest(length("api_key"."account_id"), length("api_key"."id"), length("api_key"."author")) <= 4000 and greatest(length("api_key"."display_name")) <= 200 and greatest(length("api_key"."ending")) <= 4 and pg_column_size("api_key"."scopes") <= 1000000 and array_position("api_key"."scopes", null) is null)
);
--> statement-breakpoint
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_key_hash" ON "api_key" USING btree ("account_id","hash");--> statement-breakpoint
grant select, insert, update, delete on api_key to afterword_app;
alter table api_key enable row level security;
create policy in_scope on api_key to afterword_app using (account_id = current_setting('app.account_id', true));
