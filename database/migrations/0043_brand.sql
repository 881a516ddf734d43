CREATE TABLE "brand" (
	"account_id" text PRIMARY KEY NOT NULL,
	"accent" text,
	"corners" text NOT NULL,
	"logo" jsonb,
	CONSTRAINT "brand_lengths" CHECK (greatest(length("brand"."account_id")) <= 4000 and greatest(length("brand"."accent")) <= 7),
	CONSTRAINT "brand_values" CHECK ("brand"."corners" in ('square', 'soft', 'round') and jsonb_typeof("brand"."logo") = 'object')
);
--> statement-breakpoint
ALTER TABLE "brand" ADD CONSTRAINT "brand_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
grant select, insert, update, delete on brand to afterword_app;
grant select on brand to afterword_intake;
alter table brand enable row level security;
create policy in_scope on brand to afterword_app using (account_id = current_setting('app.account_id', true));
create policy for_visitors on brand for select to afterword_intake using (true);
