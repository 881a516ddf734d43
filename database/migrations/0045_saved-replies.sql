CREATE TABLE "saved_reply" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"display_name" text NOT NULL,
	"text" text NOT NULL,
	"created" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "saved_reply_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "saved_reply_times" CHECK (least("saved_reply"."created") >= '1970-01-01 00:00:00+00' and greatest("saved_reply"."created") < '10000-01-01 00:00:00+00'),
	CONSTRAINT "saved_reply_lengths" CHECK (greatest(length("saved_reply"."account_id"), length("saved_reply"."id")) <= 4000 and greatest(length("saved_reply"."display_name")) <= 200 and greatest(length("saved_reply"."text")) <= 2000)
);
--> statement-breakpoint
ALTER TABLE "saved_reply" ADD CONSTRAINT "saved_reply_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "saved_reply_name" ON "saved_reply" USING btree ("account_id",lower("display_name"));--> statement-breakpoint
grant select, insert, update, delete on saved_reply to afterword_app;
alter table saved_reply enable row level security;
create policy in_scope on saved_reply to afterword_app using (account_id = current_setting('app.account_id', true));
